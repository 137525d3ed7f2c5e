// The programs that the tests need beside Node: found, or installed from Debian's packages where that is allowed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell opens a page four times as fast as the whole browser.
const browsers = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** The path of the Chromium on this machine; undefined when there is none. */
export const found = (): string | undefined =>
  [process.env.CHROMIUM, ...browsers].find((p) => p && existsSync(p))

const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
const hasCurl = (): boolean =>
  isOnPath('php') && spawnSync('php', ['-r', 'exit(function_exists("curl_init") ? 0 : 1);']).status === 0

/** Each program, whether it is here, and the Debian packages that bring it, the preferred one first. */
const needed = [
  { name: 'Chromium', isHere: () => !!found(), packages: ['chromium-headless-shell', 'chromium'] },
  {
    name: 'pdftotext and pdfsig',
    isHere: () => isOnPath('pdftotext') && isOnPath('pdfsig'),
    packages: ['poppler-utils'],
  },
  { name: 'qpdf', isHere: () => isOnPath('qpdf'), packages: ['qpdf'] },
  { name: 'openssl', isHere: () => isOnPath('openssl'), packages: ['openssl'] },
  { name: 'PHP with curl', isHere: hasCurl, packages: ['php-cli php-curl'] },
]

/** Installs what is missing when it may; answers whether everything is here, and says what is not. */
export function ensurePrograms(): boolean {
  const absent = () => needed.filter(({ isHere }) => !isHere())
  if (absent().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(
      `Installing ${absent()
        .map(({ name }) => name)
        .join(', ')} for the tests (once) …`,
    )
    const apt = (...args: string[]) =>
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    apt('update', '-qq')
    for (const { isHere, packages } of absent())
      for (const one of packages)
        if (!isHere()) apt('install', '-y', '-qq', '--no-install-recommends', ...one.split(' '))
  }
  for (const { name, packages } of absent())
    console.error(`The tests need ${name} (Debian: apt-get install ${packages[0]}).`)
  return absent().length === 0
}
