import '#kit/web/theme/fonts.css'
import '#kit/web/theme/tokens.css'
import '#features/money/payPages/web/public/page.css'
import { startPage, type Laid } from '#features/money/payPages/web/public/start.ts'

/**
 * In a frame the page is as light as most sites are; alone it follows the person's choice, else the system.
 */
function theme(): void {
  let chosen: string | null = null
  try {
    chosen = localStorage.getItem('darkMode')
  } catch {
    // A frame may have no store.
  }
  const of =
    window.parent === window ? (chosen === null ? '' : chosen === 'true' ? 'dark' : 'light') : 'light'
  if (of) document.documentElement.dataset.theme = of
}

// The page of a payer: what it shows is laid into it by the server, so nothing is asked before it is seen.
theme()
const laid = document.getElementById('laid')?.textContent
if (laid) {
  startPage(document.getElementById('page')!, JSON.parse(laid) as Laid)
  document.documentElement.dataset.place = location.pathname
  document.documentElement.dataset.route = location.pathname.startsWith('/payment2') ? 'payFrame' : 'payPage'
}
