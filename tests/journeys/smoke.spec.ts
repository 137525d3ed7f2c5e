import { appendFileSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test, type Browser, type Page } from '@playwright/test'
import type { Screen } from '#kit/describe/screen.ts'
import { root } from '#kit/server/settings.ts'
import { allScreens } from '../../tools/screens.ts'
import { dealerHome, fillPath, goOn, walkedBy, watchNetwork, type openAs } from '../../tools/tour.ts'
import { measure, shifted, watchShifts } from './measures.ts'
import { langs, takeCopy, type Lang } from './support.ts'
import { slowed } from './slowed.ts'

/**
 * Every screen there is, walked inside one session as a person does: what an eye would find on pictures is measured
 * (`measures.ts`), axe looks once in each look, the console stays empty, nothing moves while the screen loads. In
 * Hebrew on a desktop in light and in English on a phone in the dark; those that SMOKE_SCREENS names, or all of them
 * with SMOKE=all, in every language, light and dark, wide and narrow: switched while the screen is open. `npm run
 * smoke` runs this file alone.
 */
const all = process.env.SMOKE === 'all'
const named = new Set((process.env.SMOKE_SCREENS ?? '').split(',').filter(Boolean))
/** Named screens in the two looks of every screen instead of all twenty. */
const isTwoLooks = process.env.SMOKE_LOOKS === 'two'
const most = 0.02
/**
 * Answers come one after another, the first call first or last: what a screen asks for beside its main question
 * arrives after it is drawn, or before. `late`: each answer takes a while, and each part of the code.
 */
const order = process.env.SMOKE_ANSWERS as 'first' | 'last' | 'late' | undefined

interface Desk {
  width: number
  turned: number
  touch: boolean
  lang: Lang
  dark: boolean
  target: number
}
const desks: readonly Desk[] = [
  { width: 1280, turned: 390, touch: false, lang: 'he', dark: false, target: 24 },
  { width: 390, turned: 1280, touch: true, lang: 'en', dark: true, target: 44 },
]
const height = 844
const allOf = [...(await allScreens()), dealerHome]
/** Shown only while somebody pays at an acquirer without a payment page. */
const passing = new Set(['cardFrame'])
const screens = allOf.filter(({ name }) => !passing.has(name) && (named.size === 0 || named.has(name)))
const numbers: Record<Lang, string> = { he: '359', en: '139', ru: '606', ar: '15', fr: '282' }
const axe = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
)

/** The first parts of the keys of all words. */
const groups = [
  ...new Set(
    readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /[/\\]text[/\\][\w.]*he\.json$/.test(file))
      .flatMap((file) => Object.keys(JSON.parse(readFileSync(join(root, 'src', file), 'utf8')) as object))
      .map((key) => key.split('.')[0]!),
  ),
].filter((group) => /^[a-z]\w+$/i.test(group))

const whole = new Set(all || (named.size > 0 && !isTwoLooks) ? screens.map(({ name }) => name) : [])

/** Who walks a screen. */
type By = 'guest' | 'owner' | keyof typeof openAs
const sessions: Partial<Record<By, Record<string, string>>> = {}
let base: string
test.beforeAll(async () => {
  // Parts that follow each other share a copy; nobody else is in it while one measures to the pixel.
  const copy = await takeCopy(`smoke ${test.info().parallelIndex}`)
  base = copy.base
  Object.assign(sessions, {
    owner: copy.demo,
    office: copy.office,
    dealer: copy.dealer,
  } satisfies typeof sessions)
})

const byOf = (screen: (typeof screens)[number]): By =>
  screen.open === 'guest' ? 'guest' : (walkedBy(screen) ?? 'owner')

/** A page that walks, and what it said meanwhile. */
interface Walker {
  page: Page
  said: string[]
  quiet: (leastMs?: number) => Promise<void>
}

async function walker(
  browser: Browser,
  base: string,
  { width, touch, lang, dark }: Desk,
  by: By,
): Promise<Walker> {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    reducedMotion: 'reduce',
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  const said: string[] = []
  const quiet = watchNetwork(page)
  if (order === 'first' || order === 'last') await inOrder(page, order)
  // Code that a screen fetches after it is drawn arrives late: nothing may be drawn without it and move then.
  await page.route(
    order === 'late' ? /\/assets\/.+\.js$|\/api\d*\// : /\/assets\/\w*dress\w*-[\w-]+\.js$/i,
    async (route) => {
      await new Promise((done) => setTimeout(done, 300))
      await route.continue().catch(() => undefined)
    },
  )
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    if (request.url().startsWith(base) && why !== 'net::ERR_ABORTED')
      said.push(`${new URL(request.url()).pathname}: ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) said.push(`${new URL(response.url()).pathname}: ${response.status()}`)
  })
  page.on('pageerror', (e) => said.push(`error: ${e.message}`))
  page.on('console', (m) => {
    if (m.type() === 'error' && !/Failed to load resource/.test(m.text()))
      said.push(`console: ${m.text().slice(0, 300)}`)
  })
  await page.addInitScript(
    ([user, language]) => {
      // The browser's PDF viewer is in a frame without storage.
      if (window !== window.top) return
      localStorage.setItem('langXmlNumber', language!)
      if (user) localStorage.setItem('user', user)
    },
    [by === 'guest' ? '' : JSON.stringify(sessions[by]), numbers[lang]] as const,
  )
  await page.addInitScript(watchShifts)
  await page.addInitScript({ content: axe })
  return { page, said, quiet }
}

/** Holds each answer until the ones before it, or after it, have been drawn. */
async function inOrder(page: Page, which: 'first' | 'last'): Promise<void> {
  const stepMs = 90
  const most = 8
  let last = 0
  let nth = 0
  await page.route(/\/api\d*\//, async (route) => {
    // A screen sends its calls together.
    if (Date.now() - last > 150) nth = 0
    last = Date.now()
    const place = Math.min(nth++, most)
    await new Promise((done) => setTimeout(done, stepMs * (which === 'first' ? place : most - place)))
    await route.continue().catch(() => undefined)
  })
}

/** Goes to a screen from the one before; the first time by its address. */
async function goTo({ page, quiet }: Walker, base: string, path: string, fresh: boolean): Promise<void> {
  if (fresh) {
    await page.goto(base + path)
    await page.waitForFunction(
      () => document.documentElement.dataset.place && document.querySelector('main'),
      undefined,
      {
        timeout: 30_000 * slowed,
      },
    )
  } else await goOn(page, path, quiet, 30_000 * slowed)
  // React may hold a screen back after its last word has arrived, in which nothing is under way; one without a heading
  // is reported by axe.
  await page
    .locator('h1')
    .first()
    .waitFor({ state: 'attached', timeout: 15_000 * slowed })
    .catch(() => undefined)
  await quiet()
  // Half faded in, nothing has its colour yet.
  await page.waitForFunction(
    () =>
      document
        .getAnimations()
        .every((one) => one.playState !== 'running' || one.effect?.getTiming().iterations === Infinity),
    undefined,
    { timeout: 30_000 * slowed },
  )
}

const isLaid = async (page: Page) => (await page.locator('#laid').count()) > 0

/**
 * False where there is nothing in that language: a page that the server laid is asked for in it, and has
 * those its business wrote.
 */
async function chooseLanguage({ page, quiet }: Walker, lang: Lang): Promise<boolean> {
  if (await isLaid(page)) {
    const { origin, pathname } = new URL(page.url())
    await page.goto(`${origin}${pathname}?lang=${lang}`)
    await quiet(100)
    return (await page.locator('html').getAttribute('lang')) === lang
  }
  await page.evaluate((number) => {
    localStorage.setItem('langXmlNumber', number)
    // As another tab of the same browser would tell.
    dispatchEvent(new StorageEvent('storage', { key: 'langXmlNumber', newValue: number }))
  }, numbers[lang])
  await page.waitForFunction((to) => document.documentElement.lang === to, lang, { timeout: 15_000 * slowed })
  await quiet(100)
  return true
}

const lookOf = ({ width }: Desk, lang: Lang, dark: boolean) => `${lang} ${dark ? 'dark' : 'light'} ${width}`

/**
 * What axe finds; it has its own test of targets, which knows less of ours. Contrast is most of what it
 * costs, and a hundred rows of a list are one question: what has the colours, size, weight and classes that
 * were found right before, on the same grounds, is not judged again.
 */
const axeFinds = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    type Result = { violations: { id: string; help: string; nodes: { target: unknown[] }[] }[] }
    type Axe = {
      configure: (spec: { rules: { id: string; selector: string }[] }) => void
      run: (context: Document, options: object) => Promise<Result>
    }
    const { axe, contrastsSeen = new Set<string>() } = window as unknown as {
      axe: Axe
      contrastsSeen?: Set<string>
    }
    Object.assign(window, { contrastsSeen })
    const grounds = new Map<Element, string>()
    const groundOf = (element: Element | null): string => {
      if (!element) return ''
      let known = grounds.get(element)
      if (known === undefined) {
        const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element)
        const isClear =
          backgroundColor === 'rgba(0, 0, 0, 0)' &&
          backgroundImage === 'none' &&
          opacity === '1' &&
          filter === 'none'
        const above = groundOf(element.parentElement)
        known = isClear ? above : `${backgroundColor} ${backgroundImage} ${opacity} ${filter}; ${above}`
        grounds.set(element, known)
      }
      return known
    }
    const nameOf = (element: Element | null) =>
      element ? `${element.tagName}.${element.getAttribute('class') ?? ''}` : ''
    const fresh = new Set<string>()
    const same: Element[] = []
    for (const element of document.body.querySelectorAll('*')) {
      const hasText =
        [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue!.trim()) ||
        /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName)
      if (!hasText) continue
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
      const isOff =
        element.matches(':disabled, [aria-disabled="true"]') || element.closest('fieldset:disabled') !== null
      const question = [
        color,
        fontSize,
        fontWeight,
        textShadow,
        isOff,
        groundOf(element),
        nameOf(element),
        nameOf(element.parentElement),
      ].join(' | ')
      if (contrastsSeen.has(question) || fresh.has(question)) {
        element.setAttribute('data-same-contrast', '')
        same.push(element)
      } else fresh.add(question)
    }
    axe.configure({ rules: [{ id: 'color-contrast', selector: ':not([data-same-contrast])' }] })
    const { violations } = await axe.run(document, {
      // Only what is wrong is worked out to the end.
      resultTypes: ['violations'],
      runOnly: {
        type: 'tag',
        values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      },
      rules: { 'target-size': { enabled: false } },
    })
    for (const element of same) element.removeAttribute('data-same-contrast')
    if (!violations.some(({ id }) => id === 'color-contrast'))
      for (const question of fresh) contrastsSeen.add(question)
    return violations.map(
      (v) =>
        `${v.id}: ${v.help} at ${v.nodes
          .slice(0, 3)
          .map((node) => node.target.join(' '))
          .join(' | ')}`,
    )
  })

async function lookAtScreen(
  walk: Walker,
  base: string,
  desk: Desk,
  screen: Screen,
  path: string,
  fresh: boolean,
): Promise<Map<string, string[]>> {
  const { page, said } = walk
  const found = new Map<string, string[]>()
  said.splice(0)
  const look = async (lang: Lang, dark: boolean, more: string[] = []) => {
    const problems = [...more, ...(await measure(page, { target: desk.target, groups })), ...said.splice(0)]
    if ((await page.locator('html').getAttribute('dir')) !== (lang === 'he' || lang === 'ar' ? 'rtl' : 'ltr'))
      problems.push('wrong direction')
    if (problems.length)
      found.set(lookOf(desk, lang, dark), [...(found.get(lookOf(desk, lang, dark)) ?? []), ...problems])
  }
  if (!fresh) {
    await shifted(page)
    // One screen gives way to another at once; what moves from its first picture on has come late.
    await page.evaluate(() => {
      delete document.documentElement.dataset.place
      const watch = () =>
        requestAnimationFrame(() => {
          if (!document.documentElement.dataset.place) watch()
          else requestAnimationFrame(() => void Object.assign(window, { cameAt: performance.now() }))
        })
      Object.assign(window, { cameAt: Infinity })
      watch()
    })
  }
  await goTo(walk, base, path, fresh)
  const shift = await shifted(page)
  // Who comes to a laid page by its bare address sees it in the language of its business.
  if (await isLaid(page)) await chooseLanguage(walk, desk.lang)
  const first: string[] = []
  if (shift.sum > most) {
    const above = await page.locator('.s-said').allInnerTexts()
    first.push(
      `moves while it comes: ${shift.sum.toFixed(3)}, ${shift.from}${above.join('') && `, under ‘${above.join(' ')}’`}`,
    )
  }
  const shown = await page.evaluate(() => document.documentElement.dataset.route)
  // A draft opens in the editor of its own side.
  const instead = allOf.find(({ name }) => name === shown)
  if (instead?.feature !== screen.feature) first.push(`shows ${shown}`)
  first.push(...(await axeFinds(page)))
  await look(desk.lang, desk.dark, first)
  if (whole.has(screen.name)) {
    for (const lang of [desk.lang, ...langs.filter((one) => one !== desk.lang)]) {
      if (lang !== desk.lang) {
        if (!(await chooseLanguage(walk, lang))) continue
        await look(lang, desk.dark)
      }
      await page.emulateMedia({ colorScheme: desk.dark ? 'light' : 'dark' })
      await look(lang, !desk.dark, lang === desk.lang ? await axeFinds(page) : [])
      await page.emulateMedia({ colorScheme: desk.dark ? 'dark' : 'light' })
    }
    await chooseLanguage(walk, desk.lang)
  }
  // The window becomes a phone's or a desktop's while the screen is open: parts that differ are drawn again, and fit in
  // the end.
  await page.setViewportSize({ width: desk.turned, height })
  await page
    .waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth, undefined, {
      timeout: 5000 * slowed,
    })
    .catch(() => found.set(`turned to ${desk.turned}`, ['wider than its window']))
  await page.setViewportSize({ width: desk.width, height })
  return found
}

/**
 * So many screens per test: both workers have their share to the end, and findings are reported while others still
 * run.
 */
const share = all ? 12 : 30
const shares = Array.from({ length: Math.ceil(screens.length / share) }, (_, n) =>
  screens.slice(n * share, (n + 1) * share),
)

for (const [n, some] of shares.entries())
  for (const desk of desks)
    test(`screens ${n * share + 1} to ${n * share + some.length} at ${desk.width} px`, async ({
      browser,
    }) => {
      test.setTimeout(1_800_000)
      // A guest's browser knows of nobody who was in.
      const walkers = new Map<By, Walker>()
      for (const screen of some) {
        const by = byOf(screen)
        const path = await fillPath({ base, session: sessions[by] ?? sessions.owner! }, screen.path)
        expect.soft(path, `${screen.path}: the demo business has nothing to show there`).toBeTruthy()
        if (!path) continue
        if (!walkers.has(by)) walkers.set(by, await walker(browser, base, desk, by))
        // What is measured whole is come to by its address: nothing of it is known before, and nothing may
        // move for what comes late.
        const { page } = walkers.get(by)!
        // Nor does the application run on a page that the server laid.
        const fresh = page.url() === 'about:blank' || whole.has(screen.name) || (await isLaid(page))
        const found = await lookAtScreen(walkers.get(by)!, base, desk, screen, path, fresh).catch(
          async (e: Error) => {
            // The next screen begins again.
            await walkers.get(by)!.page.context().close()
            walkers.delete(by)
            return new Map([
              [lookOf(desk, desk.lang, desk.dark), [`does not come: ${e.message.slice(0, 300)}`]],
            ])
          },
        )
        if (process.env.SMOKE_FINDINGS && found.size)
          appendFileSync(
            process.env.SMOKE_FINDINGS,
            `${JSON.stringify({ screen: screen.name, path, found: [...found] })}\n`,
          )
        expect.soft(Object.fromEntries(found), `${screen.name} (${path})`).toEqual({})
      }
      for (const { page } of walkers.values()) await page.context().close()
    })
