import { inShekels } from '../speak.ts'
import { testCards } from '../test/cards.ts'
import type { SimulatedForm } from './bank.ts'

export const notTestCard = 'Only test cards are taken here'

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * The form of a stand-in: nobody's page, in English, for the person who tries the product out. It takes test cards
 * alone.
 */
export const formPage = (
  form: SimulatedForm,
  said = '',
): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Stand-in of ${form.gateway}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
label{display:block;margin-top:.75rem}input{font:inherit;padding:.5rem;width:100%;box-sizing:border-box}
button{font:inherit;padding:.6rem 1.2rem;margin:1rem .5rem 0 0}p.said{font-weight:600}li{margin:.2rem 0}</style>
<main><h1>Stand-in of ${form.gateway}</h1>
<p>${form.deed === 'card' ? 'The card is only kept' : `${inShekels(form.agorot)} ${escaped(form.currency)}`} · ${escaped(form.description)}</p>
<p>No money moves. Do not type a real card here.</p>
${said ? `<p class="said" role="alert">${escaped(said)}</p>` : ''}
${form.state === 'done' ? '<p>This is done.</p>' : ''}
<form method="post" autocomplete="off"><label>Number <input name="number" inputmode="numeric" required></label>
<label>Month <input name="month" inputmode="numeric" value="12"></label><label>Year <input name="year" inputmode="numeric" value="40"></label>
<label>CVV <input name="cvv" inputmode="numeric" value="123"></label>
${form.mostInstalments > 1 ? `<label>Instalments, up to ${form.mostInstalments} <input name="instalments" inputmode="numeric" value="1"></label>` : ''}
<button>Pay</button><button name="cancel" value="1" formnovalidate>Back</button></form>
<ul>${[...testCards].map(([number, { deed }]) => `<li><code>${number}</code> ${deed}</li>`).join('')}</ul></main></html>`
