import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';
import { IdentityProvider } from './identity-provider';
import { RestartableServer } from './server';

const password = 'un mot de passe assez long';

let provider: IdentityProvider;
let server: RestartableServer;

test.beforeEach(async () => {
  provider = await IdentityProvider.start();
  server = await RestartableServer.start((url) => ({
    ADOUBE_PUBLIC_ORIGIN: url,
    ADOUBE_SIGN_IN_OPENID_ISSUER: provider.issuer,
    ADOUBE_SIGN_IN_OPENID_CLIENT_ID: IdentityProvider.client.id,
    ADOUBE_SIGN_IN_OPENID_CLIENT_SECRET: IdentityProvider.client.secret,
    ADOUBE_SIGN_IN_OPENID_NAME: 'Club',
  }));
});

test.afterEach(async () => {
  await server.stop();
  await provider.stop();
});

async function signInAtProvider(page: Page): Promise<void> {
  await page.goto(`${server.url}/account`);
  await page.getByRole('link', { name: 'Continuer avec Club' }).click();
  await page.getByRole('link', { name: 'Agree' }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('link', { name: 'Continuer avec Club' })).toBeVisible();
}

test('an account is created, linked and unlinked through an identity provider', async ({ page }, {
  outputDir,
  project,
}) => {
  await page.emulateMedia({ colorScheme: project.name === 'narrow' ? 'dark' : 'light' });
  const check = async (picture: string): Promise<void> => {
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.screenshot({ path: `${outputDir}/${picture}.png`, fullPage: true });
  };

  // Anna has an account with a password.
  await page.goto(`${server.url}/account`);
  await check('sign-in');
  await page.getByRole('radio', { name: 's’inscrire' }).check();
  await page.getByLabel('Nom', { exact: true }).fill('Anna');
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Créer le compte' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Anna' })).toBeVisible();
  await signOut(page);

  // If a visitor declines at the provider, the page says so and offers to start again.
  await page.getByRole('link', { name: 'Continuer avec Club' }).click();
  await page.getByRole('link', { name: 'Refuse' }).click();
  await expect(page.getByRole('alert')).toContainText('pas donné votre accord');
  await page.getByRole('link', { name: 'Retour à la connexion' }).click();

  // The user's name at the provider is already taken here, so another one is chosen.
  await signInAtProvider(page);
  await expect(page.getByLabel('Nom', { exact: true })).toHaveValue('Anna');
  await check('choose-name');
  await page.getByRole('button', { name: 'Créer le compte' }).click();
  await expect(page.getByRole('alert')).toContainText('Ce nom est pris');
  await page.getByLabel('Nom', { exact: true }).fill('Annabelle');
  await page.getByRole('button', { name: 'Créer le compte' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Annabelle' })).toBeVisible();
  await expect(page.getByText('Ce compte n’a pas de mot de passe').first()).toBeVisible();
  await check('account');
  await signOut(page);
  await signInAtProvider(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Annabelle' })).toBeVisible();

  // The only means of signing in cannot be removed until the account has a password.
  const providers = page.getByRole('region', { name: 'Moyens de connexion' });
  const unlink = async (): Promise<void> => {
    await providers.getByRole('button', { name: 'Retirer' }).click();
    await providers.getByRole('button', { name: 'Oui, retirer' }).click();
  };
  await unlink();
  await expect(providers.getByRole('alert')).toContainText('Choisissez d’abord un mot de passe');
  await page.getByLabel('Nouveau mot de passe').fill(password);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('C’est enregistré').first()).toBeVisible();
  await providers.getByLabel('Mot de passe actuel').fill(password);
  await unlink();
  await expect(providers.getByRole('button', { name: 'Lier avec Club' })).toBeVisible();
  await signOut(page);

  // Linking the identity to the other account requires that account's password.
  await page.getByLabel('Nom', { exact: true }).fill('Anna');
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Anna' })).toBeVisible();
  await providers.getByLabel('Mot de passe actuel').fill(password);
  await providers.getByRole('button', { name: 'Lier avec Club' }).click();
  await page.getByRole('link', { name: 'Agree' }).click();
  await expect(providers.getByText('4711')).toBeVisible();
  await check('linked');
  await signOut(page);
  await signInAtProvider(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Anna' })).toBeVisible();
});

test('an unreachable provider is reported to the visitor', async ({ page }) => {
  await provider.stop();
  await page.goto(`${server.url}/account`);
  await page.getByRole('link', { name: 'Continuer avec Club' }).click();
  await expect(page.getByRole('alert')).toContainText('ne répond pas comme il le devrait');
  await page.getByRole('link', { name: 'Retour à la connexion' }).click();
  await expect(page.getByLabel('Mot de passe', { exact: true })).toBeVisible();
});
