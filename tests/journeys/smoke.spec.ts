import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { allScreens } from '../../tools/screens.ts'
import { fillPath, openDemo, openPage, type Tour } from '../../tools/tour.ts'

/**
 * Opens every screen there is, in Hebrew and English, light and dark, at the desk and on the phone: no error, no page wider than its window. Findings of
 * axe are looked for in two looks that differ in everything; four would find the same twice and take most of the time of all tests.
 */
const looks = [
  { lang: 'he', dark: false, width: 1280, axe: true },
  { lang: 'en', dark: true, width: 390, axe: true },
  { lang: 'he', dark: true, width: 390, axe: false },
  { lang: 'en', dark: false, width: 1280, axe: false },
] as const

const screens = await allScreens()

let session: Record<string, string>
test.beforeAll(async ({ baseURL }) => {
  session = await openDemo(baseURL!)
})

for (const { lang, dark, width, axe } of looks) {
  test(`every screen in ${lang}, ${dark ? 'dark' : 'light'}, ${width} px`, async ({ browser, baseURL }) => {
    test.setTimeout(1_800_000)
    const tour: Tour = { base: baseURL!, session }
    const problems: string[] = []
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      reducedMotion: 'reduce',
      colorScheme: dark ? 'dark' : 'light',
    })
    for (const screen of screens) {
      const path = await fillPath(tour, screen.path)
      if (!path) {
        problems.push(`${screen.path}: the demo business has nothing to show there`)
        continue
      }
      const { page, failures } = await openPage(context, tour, path, { lang, dark, guest: screen.open === 'guest' })
      const said = (what: string) => problems.push(`${screen.name} (${path}): ${what}`)
      failures.forEach(said)
      if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) said('wider than its window')
      if ((await page.locator('html').getAttribute('dir')) !== (lang === 'he' ? 'rtl' : 'ltr')) said('wrong direction')
      if (axe) {
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        for (const v of violations)
          said(
            `${v.id}: ${v.help} at ${v.nodes
              .map((n) => n.target.join(' '))
              .slice(0, 3)
              .join(' | ')}`,
          )
      }
      await page.close()
    }
    await context.close()
    expect(problems).toEqual([])
  })
}
