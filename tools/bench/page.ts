import { chromium, type Browser, type Page } from '@playwright/test'
import { fillPath, openDemo, openPage, type Tour, watchNetwork } from '../tour.ts'
import { kB, median, ms, quantile, type Figure } from './figures.ts'
import { found } from '../programs.ts'

const phone = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 3,
  locale: 'he-IL',
}
const desk = { viewport: { width: 1280, height: 844 }, locale: 'he-IL' }

/**
 * A middling phone in the city: the processor a quarter as fast, the line as Chromium's own profile "Fast 4G"
 * has it.
 */
async function slowDown(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 165,
    downloadThroughput: 9_000_000 / 8,
    uploadThroughput: 1_350_000 / 8,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

interface Seen {
  lcp: number
  cls: number
  /** Of each interaction by its number: the longest of its events. */
  interactions: Record<string, number>
}

/** What the browser itself tells of a page, gathered from its beginning. */
async function watch(page: Page): Promise<void> {
  // The runner of these tools gives functions their names by a helper that a page does not have.
  await page.addInitScript('globalThis.__name ??= (named) => named')
  await page.addInitScript(() => {
    const seen: Seen = { lcp: 0, cls: 0, interactions: {} }
    ;(window as unknown as { seen: Seen }).seen = seen
    const on = (type: string, take: (entry: any) => void, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
        type,
        buffered: true,
        ...more,
      })
    on('largest-contentful-paint', (e) => (seen.lcp = e.startTime))
    on('layout-shift', (e) => void (e.hadRecentInput ? 0 : (seen.cls += e.value)))
    on(
      'event',
      (e) =>
        void (
          e.interactionId &&
          (seen.interactions[e.interactionId] = Math.max(seen.interactions[e.interactionId] ?? 0, e.duration))
        ),
      { durationThreshold: 16 },
    )
  })
}
const seenOn = (page: Page): Promise<Seen> => page.evaluate(() => (window as unknown as { seen: Seen }).seen)

/**
 * A first visit in a browser that knows nothing of us: every byte comes over the line; `bytes` of script and
 * words up to the largest paint.
 */
async function firstVisit(
  browser: Browser,
  tour: Tour,
  path: string,
  guest: boolean,
): Promise<Seen & { bytes: number }> {
  const context = await browser.newContext({ ...phone, serviceWorkers: 'block' })
  const page = await context.newPage()
  await slowDown(page)
  await watch(page)
  if (!guest)
    await page.addInitScript((user) => localStorage.setItem('user', user), JSON.stringify(tour.session))
  const quiet = watchNetwork(page)
  await page.goto(tour.base + path)
  await quiet(500)
  const seen = await seenOn(page)
  const bytes = await page.evaluate(
    (until) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter((one) => one.startTime <= until && /\.js$|\/words\//.test(one.name))
        .reduce((sum, one) => sum + one.transferSize, 0),
    seen.lcp,
  )
  await context.close()
  return { ...seen, bytes }
}

/** Through the day at the desk: menu, lists, typing in a search, a document and back, a form. */
async function interactions(
  browser: Browser,
  tour: Tour,
): Promise<{ times: number[]; toDocument: number[] }> {
  const context = await browser.newContext(desk)
  const { page, quiet } = await openPage(context, tour, '/invoice/documents/8?status=issued')
  await watch(page)
  await page.reload()
  const row = page.getByRole('row').nth(1)
  await row.waitFor()
  const times: number[] = []
  const toDocument: number[] = []
  const keep = async () => times.push(...Object.values((await seenOn(page)).interactions))
  for (let n = 0; n < 4; n++) {
    await page
      .getByRole('searchbox')
      .or(page.locator('input[type="search"]'))
      .first()
      .pressSequentially('ח', { delay: 60 })
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('לקוח', { delay: 60 })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    // Where the pointer rests the document is fetched ahead.
    await row.hover()
    await page.waitForTimeout(300)
    const opened = page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          addEventListener(
            'pointerup',
            () => {
              const started = performance.now()
              const look = () =>
                location.pathname.includes('/preview/') &&
                /\d/.test(document.querySelector('h1')?.textContent ?? '')
                  ? resolve(performance.now() - started)
                  : requestAnimationFrame(look)
              look()
            },
            { once: true, capture: true },
          ),
        ),
    )
    await row.click()
    toDocument.push(await opened)
    await quiet(500)
    await page.goBack()
    await row.waitFor()
    await page.waitForTimeout(300)
  }
  await keep()
  await context.close()
  // What answered within a frame is not told by the browser; it would make the figure better, not worse.
  return { times, toDocument: toDocument.slice(1) }
}

/** What a person sees and feels of the pages: the first on a phone, the ways between them at the desk. */
export async function measurePages(base: string, tries: number): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: found(), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const tour: Tour = { base, session: await openDemo(base) }
    const figures: Figure[] = []
    for (const [name, path, guest, goal] of [
      ['log-in', '/login', true, 1500],
      ['home', '/invoice/main', false, 1500],
      ['payment page', (await fillPath(tour, '/paymentpage/$key'))!, true, 1200],
    ] as const) {
      const visits: (Seen & { bytes: number })[] = []
      for (let n = 0; n < tries; n++) visits.push(await firstVisit(browser, tour, path, guest))
      const part = 'First visit on a phone (processor 4 x slower, Fast 4G)'
      const lcp = median(visits.map((v) => v.lcp))
      const cls = Math.max(...visits.map((v) => v.cls))
      figures.push(
        {
          part,
          name: `${name}, largest paint`,
          value: ms(lcp),
          goal: `<= ${goal / 1000} s`,
          ok: lcp <= goal,
        },
        { part, name: `${name}, layout shift`, value: cls.toFixed(3), goal: '<= 0.02', ok: cls <= 0.02 },
        { part, name: `${name}, script and words until then`, value: kB(median(visits.map((v) => v.bytes))) },
      )
    }
    const { times, toDocument } = await interactions(browser, tour)
    const part = 'At work, at the desk'
    const p75 = quantile(times, 0.75)
    const there = median(toDocument)
    figures.push(
      {
        part,
        name: `interaction to paint, p75 of ${times.length}`,
        value: ms(p75),
        goal: '<= 100 ms',
        ok: p75 <= 100,
      },
      {
        part,
        name: 'list to document, fetched ahead',
        value: ms(there),
        goal: '<= 100 ms',
        ok: there <= 100,
      },
    )
    return figures
  } finally {
    await browser.close()
  }
}
