-- Who an account is at an identity provider. An account without a password has at least one row.
CREATE TABLE identities (
    issuer text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE INDEX identities_by_player ON identities (player);
