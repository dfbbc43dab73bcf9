import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { i18n } from '$lib/i18n/i18n.svelte';
import { applyTheme } from '$lib/preferences.svelte';

applyTheme();
await i18n.start();

const target = document.getElementById('app');
if (target) mount(App, { target });
