import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { allScreens } from './screens.ts'
import { fillPath, openDemo, openDemoOffice, openEmpty, openPage, walkedBy, type Tour } from './tour.ts'
// @ts-expect-error plain JavaScript without types: it must run before anything is installed
import { found } from './chromium.mjs'

// Pictures of every screen over a demo business: `npm run pictures -- [name or /path …] [--lang=he,en] [--theme=light,dark] [--width=1280,390] [--empty]`.
// They land in pictures/, which is not committed: they are for looking.
const option = (name: string, fallback: string) =>
  (process.argv.find((a) => a.startsWith(`--${name}=`))?.split('=')[1] ?? fallback).split(',')
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const empty = process.argv.includes('--empty')
const out = join(root, 'pictures')

const port = await new Promise<number>((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address() as { port: number }
    probe.close(() => resolve(free))
  })
})
const base = `http://127.0.0.1:${port}`
const dataDir = mkdtempSync(join(tmpdir(), 'pinkas-pictures-'))
const server = spawn(process.execPath, [join(root, 'dist/server/server.js')], {
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent', PINKAS_DEV: '1', DATABASE_URL: '' },
  stdio: 'inherit',
})

async function ready(): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (
      await fetch(`${base}/readyz`)
        .then((r) => r.ok)
        .catch(() => false)
    )
      return
    await new Promise((r) => setTimeout(r, 50))
  }
  throw new Error('the server did not start')
}

let browser: Browser | undefined
try {
  await ready()
  const tour: Tour = { base, session: await (empty ? openEmpty(base) : openDemo(base)) }
  let office: Tour | undefined
  const tourOf = async (screen: { path: string }): Promise<Tour> =>
    walkedBy(screen) ? (office ??= { base, session: await openDemoOffice(base) }) : tour
  mkdirSync(out, { recursive: true })
  browser = await chromium.launch({
    executablePath: found(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const named = (await allScreens()).filter((s) => wanted.length === 0 || wanted.includes(s.name))
  // An address of its own, with whatever it asks: '/invoice/reportincome?group=type'.
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
        // Where a page of somebody signed in was open, the page of a guest would lead to his home.
        const [signedIn, guests, offices] = [await browser.newContext(look), await browser.newContext(look), await browser.newContext(look)]
        for (const screen of screens) {
          const own = await tourOf(screen)
          const path = await fillPath(own, screen.path)
          if (!path) continue
          const guest = screen.open === 'guest'
          const { page, failures } = await openPage(guest ? guests : own === office ? offices : signedIn, own, path, {
            lang,
            dark: theme === 'dark',
            guest,
          })
          await page.waitForTimeout(250)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
          await page.screenshot({ path: join(out, `${screen.name}-${lang}-${theme}-${width}.png`), fullPage: false })
          if (failures.length || wide)
            console.log(`${screen.name} ${lang} ${theme} ${width}: ${[...failures, ...(wide ? ['wider than its window'] : [])].join('; ')}`)
          await page.close()
        }
        await Promise.all([signedIn.close(), guests.close(), offices.close()])
      }
    }
  }
} finally {
  await browser?.close()
  server.kill('SIGINT')
  await new Promise((r) => server.once('exit', r))
  rmSync(dataDir, { recursive: true, force: true })
}
