import { mount } from 'svelte';
import App from './App.svelte';
import './lib/tokens.css';
import './app.css';
import './rules.css';
import './document.css';
import { takeRenderedRules } from '$lib/rendered-rules';
import { i18n } from '$lib/i18n/i18n.svelte';
import { applyLooks } from '$lib/preferences.svelte';
import { router } from '$lib/routing/router.svelte';
import { loadRules } from '$lib/rules-wasm';
import { prepare } from './pages';

applyLooks();
takeRenderedRules();
const { page } = router.route;
router.prepare = prepare;
// Loads the page's code, and the module that its boards need, in parallel with the language. If
// this fails, the page retries.
if (page !== 'not-found') prepare(page);
if (page === 'rules' || page === 'game') loadRules().catch(() => {});
await i18n.start();

const target = document.getElementById('app');
// Replaces the text that the server rendered for browsers without scripts.
target?.replaceChildren();
if (target) mount(App, { target });
