import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { allScreens } from './screens.ts'
import { onServer } from './onServer.ts'
import { dealerHome, fillPath, openAs, openDemo, openEmpty, openPage, walkedBy, type Tour } from './tour.ts'

// Pictures of every screen over a demo business: `npm run pictures -- [name or /path …] [--lang=he,en]
// [--theme=light,dark] [--width=1280,390] [--empty]`. They are written to pictures/, which is not committed: they are
// for looking.
const option = (name: string, fallback: string) =>
  (process.argv.find((a) => a.startsWith(`--${name}=`))?.split('=')[1] ?? fallback).split(',')
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const empty = process.argv.includes('--empty')
const out = join(root, 'pictures')

await onServer(async ({ base, browser }) => {
  const tour: Tour = { base, session: await (empty ? openEmpty(base) : openDemo(base)) }
  const others: Partial<Record<keyof typeof openAs, Tour>> = {}
  const tourOf = async (screen: { name: string; path: string }): Promise<Tour> => {
    const by = walkedBy(screen)
    return by ? (others[by] ??= { base, session: await openAs[by](base) }) : tour
  }
  mkdirSync(out, { recursive: true })
  const named = [...(await allScreens()), dealerHome].filter(
    (s) => wanted.length === 0 || wanted.includes(s.name),
  )
  // A given address, with its query: '/invoice/reportincome?group=type'.
  const asked = wanted
    .filter((one) => one.startsWith('/'))
    .map((path) => ({ name: path.replace(/\W+/g, '-').slice(1, 80), path, open: 'login' }))
  const screens: { name: string; path: string; open: string }[] = [...named, ...asked]
  for (const lang of option('lang', 'he,en')) {
    for (const theme of option('theme', 'light,dark')) {
      for (const width of option('width', '1280,390').map(Number)) {
        const look = {
          viewport: { width, height: width < 600 ? 844 : 900 },
          deviceScaleFactor: width < 600 ? 2 : 1,
          locale: lang,
          timezoneId: 'Asia/Jerusalem',
          reducedMotion: 'reduce' as const,
          colorScheme: theme as 'light',
        }
        // Where a page of a logged-in person was open, the page of a guest would lead to the main page.
        const contexts = new Map<Tour | 'guest', BrowserContext>()
        for (const screen of screens) {
          const own = await tourOf(screen)
          const path = await fillPath(own, screen.path)
          if (!path) continue
          const guest = screen.open === 'guest'
          const who = guest ? 'guest' : own
          if (!contexts.has(who)) contexts.set(who, await browser.newContext(look))
          const { page, failures } = await openPage(contexts.get(who)!, own, path, {
            lang,
            dark: theme === 'dark',
            guest,
          })
          await page.waitForTimeout(250)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
          await page.screenshot({
            path: join(out, `${screen.name}-${lang}-${theme}-${width}.png`),
            fullPage: false,
          })
          if (failures.length || wide)
            console.log(
              `${screen.name} ${lang} ${theme} ${width}: ${[...failures, ...(wide ? ['wider than its window'] : [])].join('; ')}`,
            )
          await page.close()
        }
        for (const context of contexts.values()) await context.close()
      }
    }
  }
})
