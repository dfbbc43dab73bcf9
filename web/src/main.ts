import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import './rules.css';
import { takeGiven } from '$lib/given';
import { i18n } from '$lib/i18n/i18n.svelte';
import { applyTheme } from '$lib/preferences.svelte';
import { router } from '$lib/routing/router.svelte';
import { loadRules } from '$lib/rules-wasm';

applyTheme();
takeGiven();
// The boards of the rules wait for the module: it comes beside the language. Who fails here is tried again by the page.
if (router.route.page === 'rules') loadRules().catch(() => {});
await i18n.start();

const target = document.getElementById('app');
// What the server wrote for those without scripts has served.
target?.replaceChildren();
if (target) mount(App, { target });
