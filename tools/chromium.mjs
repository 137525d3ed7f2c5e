// Finds a Chromium for browser tests, or installs Debian's when it may.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// The shell without a window of its own opens a page four times as fast as the whole browser.
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** The path of the Chromium on this machine; undefined when there is none. */
export const found = () => [process.env.CHROMIUM, ...places].find((p) => p && existsSync(p))

/** The path of a Chromium, or undefined with a message that says what to do. */
export function chromium() {
  const known = found()
  if (known) return known
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser tests (once) …')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    // Older releases have the whole browser alone.
    for (const browser of ['chromium-headless-shell', 'chromium']) {
      spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', browser, 'poppler-utils', 'qpdf'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
      if (found()) return found()
    }
  }
  console.error(
    'No Chromium found: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path, then run the tests again.',
  )
  return undefined
}
