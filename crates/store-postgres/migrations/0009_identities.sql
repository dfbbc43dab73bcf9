-- The identities of accounts at identity providers. An account without a password has at least one.
CREATE TABLE identities (
    issuer text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE INDEX identities_by_player ON identities (player);
