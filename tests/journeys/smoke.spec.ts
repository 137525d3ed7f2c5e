import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { allScreens } from '../../tools/screens.ts'
import { fillPath, openDemo, openPage, type Tour } from '../../tools/tour.ts'

/**
 * Opens every screen there is, in Hebrew at the desk in light and in English on the phone in the dark: no error, no finding of axe, no page
 * wider than its window, neither so nor when the window becomes a phone's or a desk's while the screen stands.
 */
const looks = [
  { lang: 'he', dark: false, width: 1280, turned: 390 },
  { lang: 'en', dark: true, width: 390, turned: 1280 },
] as const

const height = 844
const screens = await allScreens()

let session: Record<string, string>
test.beforeAll(async ({ baseURL }) => {
  session = await openDemo(baseURL!)
})

const isWider = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)

/** Whether each of these targets is large enough in the middle of the window. */
async function areWhole(page: Page, targets: readonly string[]): Promise<boolean> {
  for (const target of targets) {
    await page.locator(target).evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
    const { violations } = await new AxeBuilder({ page }).include(target).withRules(['target-size']).analyze()
    if (violations.length > 0) return false
  }
  return true
}

/** So many screens to a test: both workers have their share to the end, and what is found is told while others still run. */
const share = 40
const shares = Array.from({ length: Math.ceil(screens.length / share) }, (_, n) => screens.slice(n * share, (n + 1) * share))

for (const { lang, dark, width, turned } of looks)
  for (const [n, some] of shares.entries())
    test(`screens ${n * share + 1} to ${n * share + some.length} in ${lang}, ${dark ? 'dark' : 'light'}, ${width} px`, async ({
      browser,
      baseURL,
    }) => {
      test.setTimeout(900_000)
      const tour: Tour = { base: baseURL!, session }
      const newContext = () =>
        browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', colorScheme: dark ? 'dark' : 'light' })
      // A guest's browser knows of nobody who was in.
      const contexts = { guest: await newContext(), member: await newContext() }
      for (const screen of some) {
        const path = await fillPath(tour, screen.path)
        expect.soft(path, `${screen.path}: the demo business has nothing to show there`).toBeTruthy()
        if (!path) continue
        const guest = screen.open === 'guest'
        const { page, failures } = await openPage(contexts[guest ? 'guest' : 'member'], tour, path, { lang, dark, guest })
        const problems: string[] = []
        if (await isWider(page)) problems.push('wider than its window')
        if ((await page.locator('html').getAttribute('dir')) !== (lang === 'he' ? 'rtl' : 'ltr')) problems.push('wrong direction')
        const { violations } = await new AxeBuilder({ page })
          // Only what is wrong is worked out to the end.
          .options({ resultTypes: ['violations'] })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        for (const v of violations) {
          const targets = v.nodes.map((node) => node.target.join(' '))
          // What lies half under a floating bar is as large as it is once it is scrolled to; what cannot be is too small.
          if (v.id === 'target-size' && (await areWhole(page, targets))) continue
          problems.push(`${v.id}: ${v.help} at ${targets.slice(0, 3).join(' | ')}`)
        }
        await page.setViewportSize({ width: turned, height })
        // What stands otherwise on a phone is drawn anew; in the end it must fit.
        await page
          .waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth, undefined, { timeout: 5000 })
          .catch(() => problems.push(`wider than its window at ${turned} px`))
        await page.close()
        expect.soft([...failures, ...problems], `${screen.name} (${path})`).toEqual([])
      }
      await Promise.all(Object.values(contexts).map((context) => context.close()))
    })
