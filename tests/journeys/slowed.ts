import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'

/** So many times slower than this machine is, the processor of a page works. */
export const slowed = Number(process.env.JOURNEY_SLOWED ?? 1)

/**
 * Slows the processor of every page so many times, as `JOURNEY_SLOWED=4` asks: what a journey trusts to be quick, and is not on a poor telephone, shows.
 * Contexts are made by tests and by the runner alike, so the making itself is watched.
 */
export function slowDown(times: number): void {
  type Making = { _innerNewContext: (...options: unknown[]) => Promise<BrowserContext> }
  const slow = async (page: Page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: times })
  }
  const launcher = Object.getPrototypeOf(chromium) as { launch: (...options: unknown[]) => Promise<Browser> }
  const launch = launcher.launch
  let isWatched = false
  launcher.launch = async function (...options) {
    const browser = await launch.apply(this, options)
    if (isWatched) return browser
    isWatched = true
    const making = Object.getPrototypeOf(browser) as Making
    const inner = making._innerNewContext
    making._innerNewContext = async function (...asked) {
      const context = await inner.apply(this, asked)
      // A page that is gone before it was slowed needs no slowing.
      context.on('page', (page) => void slow(page).catch(() => undefined))
      return context
    }
    return browser
  }
}
