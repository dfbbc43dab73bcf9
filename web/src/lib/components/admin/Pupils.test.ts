// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AdminAct, HouseClass, Member, Role } from '$lib/api';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent, waitFor } from '$lib/testing';
import Pupils from './Pupils.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('account');
  await i18n.need('admin');
});
afterEach(() => vi.unstubAllGlobals());

const member = (name: string, role: Role | null): Member => ({
  name,
  role,
  state: 'open',
  silencedUntil: null,
  teacher: null,
  class: null,
  classes: [],
  hasEmail: false,
  secondFactor: false,
  createdAt: 0,
  usedAt: null,
  sessions: 0,
});

const cm2: HouseClass = { name: 'CM2', teacher: null, pupils: 2, pupil: 'Emma' };

/** The data that the server returns; acts may change it. */
interface Served {
  classes: readonly HouseClass[];
  /** The visitor's own pupils. */
  own: readonly Member[];
  /** The pupils of the class. */
  pupils: readonly Member[];
}

/** Shows the section. The server answers acts with `answer`, and records them. */
function open(
  role: Role,
  answer: (act: AdminAct) => Response,
  served: Served = { classes: [cm2], own: [], pupils: [] },
) {
  const acts: AdminAct[] = [];
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    if (path.endsWith('/acts')) {
      const act = JSON.parse(String(init.body)) as AdminAct;
      acts.push(act);
      return Promise.resolve(answer(act));
    }
    if (path.endsWith('/classes'))
      return Promise.resolve(Response.json({ classes: served.classes }));
    const classOf = new URLSearchParams(path.replace(/^[^?]*/, '')).get('classOf');
    if (classOf !== null && served.pupils.every(({ name }) => name !== classOf)) {
      const error = { code: 'account-not-found', args: {}, message: '' };
      return Promise.resolve(Response.json({ error }, { status: 404 }));
    }
    const staff = [member('Tessa', 'teacher'), member('Arno', 'arbiter')];
    const others = path.includes('withRole') ? staff : served.own;
    const members = classOf === null ? others : served.pupils;
    return Promise.resolve(Response.json({ members, next: null }));
  });
  render(Pupils, { role });
  return { acts, user: userEvent.setup() };
}

describe('the names of a class', () => {
  const refused = (): Response =>
    Response.json(
      {
        error: {
          code: 'pupil-names',
          args: {
            characters: 'Zoé! (!)',
            repeated: 'Léa',
            retired: 'Tim',
            until: String(Date.UTC(2027, 6, 12, 12)),
          },
          message: '',
        },
      },
      { status: 422 },
    );

  it('are refused together, each with its reason; the refusal disappears when the list is changed', async () => {
    const { acts, user } = open('teacher', refused);
    await user.type(screen.getByLabelText('Classe'), 'CM2');
    const list = screen.getByLabelText('Prénoms, un par ligne');
    await user.type(list, 'Léa{Enter}Léa{Enter}Zoé!{Enter}Tim');
    // A name that occurs twice is reported at once, but does not hide what else is wrong.
    expect(screen.getByRole('alert').textContent).toMatch(/Plusieurs fois dans la liste\s: Léa/);
    await user.click(screen.getByRole('button', { name: 'Créer 4 comptes' }));
    await screen.findByText(/Aucun compte n’a été créé/);
    expect(acts).toHaveLength(1);
    const reasons = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(reasons).toEqual([
      expect.stringMatching(/caractère interdit.*: Zoé! \(!\)/),
      expect.stringMatching(/Plusieurs fois.*: Léa/),
      expect.stringMatching(/supprimés, libres au plus tard le 12 juillet 2027\s: Tim/),
    ]);
    await user.type(list, 'o');
    expect(screen.queryByText(/Aucun compte n’a été créé/)).toBeNull();
    expect(screen.queryByText(/Zoé! \(!\)/)).toBeNull();
  });
});

describe('the list of all classes', () => {
  const done = (): Response =>
    Response.json({ entry: 1, endedSessions: 0, link: null, pupils: [] });

  it('gives a class without a teacher to an account that can teach', async () => {
    const { acts, user } = open('administrator', done);
    await user.click(await screen.findByText(/CM2 \(2 élèves\)/));
    expect(screen.getByText('sans enseignant')).toBeTruthy();
    const choice = screen.getByLabelText('Confier à');
    expect([...choice.querySelectorAll('option')].map((each) => each.textContent)).toEqual([
      'choisissez',
      'Tessa',
    ]);
    await user.selectOptions(choice, 'Tessa');
    await user.click(screen.getByRole('button', { name: 'Confier la classe' }));
    await waitFor(() => expect((choice as HTMLSelectElement).value).toBe(''));
    await user.selectOptions(choice, 'Tessa');
    const name = screen.getByLabelText('Nom de la classe');
    await user.clear(name);
    await user.type(name, 'CM2 B');
    await user.click(screen.getByRole('button', { name: 'Confier la classe' }));
    const give = { type: 'give-class', pupil: 'Emma', class: 'CM2', to: 'Tessa' };
    expect(acts).toEqual([give, { ...give, name: 'CM2 B' }]);
  });

  const pupil = (name: string): Member => ({ ...member(name, null), class: 'CM2' });
  const made = (act: AdminAct): Response => {
    const pupils =
      act.type === 'reset-pupil' ? [{ name: act.account, password: 'bado-kemu-tila' }] : [];
    return Response.json({ entry: 1, endedSessions: 0, link: null, pupils });
  };
  const password = () => screen.findByText('bado-kemu-tila');

  it('keeps a class open when its first pupil is deleted', async () => {
    const served: Served = {
      classes: [cm2],
      own: [],
      pupils: [pupil('Emma'), pupil('Karim')],
    };
    const remove = (): Response => {
      served.classes = [{ ...cm2, pupils: 1, pupil: 'Karim' }];
      served.pupils = [pupil('Karim')];
      return done();
    };
    const { user } = open('administrator', remove, served);
    await user.click(await screen.findByText(/CM2 \(2 élèves\)/));
    await user.click(await screen.findByText('Emma'));
    await user.click(screen.getByRole('button', { name: 'Supprimer le compte' }));
    await user.click(screen.getByRole('button', { name: 'Supprimer définitivement' }));
    await waitFor(() => expect(screen.queryByText('Emma')).toBeNull());
    expect(screen.getByText('Karim')).toBeTruthy();
    await screen.findByText(/CM2 \(un élève\)/);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('keeps new passwords when the visitor gets the class', async () => {
    const served: Served = { classes: [cm2], own: [], pupils: [pupil('Emma')] };
    const answer = (act: AdminAct): Response => {
      if (act.type === 'give-class') served.own = served.pupils;
      return made(act);
    };
    const { user } = open('administrator', answer, served);
    await user.click(await screen.findByText(/CM2 \(2 élèves\)/));
    await user.click(await screen.findByText('Emma'));
    await user.click(screen.getByRole('button', { name: 'Nouveau mot de passe' }));
    await password();
    await user.selectOptions(screen.getByLabelText('Confier à'), 'Tessa');
    await user.click(screen.getByRole('button', { name: 'Confier la classe' }));
    await screen.findByRole('heading', { name: 'CM2' });
    expect(await password()).toBeTruthy();
  });

  it('keeps new passwords when the visitor gives the class away, until they are replaced', async () => {
    const served: Served = { classes: [cm2], own: [pupil('Emma')], pupils: [pupil('Emma')] };
    const passwords = ['bado-kemu-tila', 'tunu-fofe-danu'];
    const answer = (act: AdminAct): Response => {
      if (act.type === 'give-class') served.own = [];
      if (act.type !== 'reset-pupil') return done();
      const pupils = [{ name: 'Emma', password: passwords.shift() }];
      return Response.json({ entry: 1, endedSessions: 0, link: null, pupils });
    };
    const { user } = open('administrator', answer, served);
    await user.click(await screen.findByText('Emma'));
    await user.click(screen.getByRole('button', { name: 'Nouveau mot de passe' }));
    await password();
    await user.click(await screen.findByText(/CM2 \(2 élèves\)/));
    await user.selectOptions(screen.getByLabelText('Confier à'), 'Tessa');
    await user.click(screen.getByRole('button', { name: 'Confier la classe' }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'CM2' })).toBeNull());
    expect(await password()).toBeTruthy();

    const inList = await screen.findByText('Emma', { selector: 'summary' });
    await user.click(inList);
    await user.click(screen.getByRole('button', { name: 'Nouveau mot de passe' }));
    await screen.findByText('tunu-fofe-danu');
    expect(screen.queryByText('bado-kemu-tila')).toBeNull();
  });

  it('is not shown to a teacher', async () => {
    open('teacher', done);
    await new Promise((shown) => setTimeout(shown));
    expect(screen.queryByText('Toutes les classes')).toBeNull();
  });
});
