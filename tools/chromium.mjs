// Finds a Chromium for browser tests, or installs Debian's when it may.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const found = () => [process.env.CHROMIUM, ...places].find((p) => p && existsSync(p))

/** The path of a Chromium, or undefined with a message that says what to do. */
export function chromium() {
  const known = found()
  if (known) return known
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser tests (once) …')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'poppler-utils', 'qpdf'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (found()) return found()
  }
  console.error('No Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM to its path, then run the tests again.')
  return undefined
}
