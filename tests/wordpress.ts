import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '#kit/server/settings.ts'

/**
 * WordPress as it is unpacked (Debian's package, if nothing is said), and WooCommerce as it is shipped:
 * neither is part of this house.
 */
const core = process.env.WORDPRESS ?? '/usr/share/wordpress'
const woocommerce = process.env.WOOCOMMERCE ?? '/usr/share/woocommerce'

const text = (html: string) => html.replace(/<style[\s\S]*?<\/style>/g, '').slice(-1000)

const has = (program: string) => spawnSync(program, ['--version']).status === 0

/** What is not here of what a real shop needs, or nothing. */
export function missingOfWordPress(): string {
  if (!existsSync(join(core, 'wp-settings.php')))
    return `WordPress (WORDPRESS=<folder>, or apt-get install wordpress)`
  if (!existsSync(join(woocommerce, 'vendor/autoload_packages.php')))
    return 'WooCommerce as it is shipped (WOOCOMMERCE=<folder>)'
  if (!has('php') || !/mysqli/.test(spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout))
    return 'php (apt-get install php-cli php-mysql)'
  if (!has('mariadbd')) return 'mariadb (apt-get install mariadb-server)'
  return ''
}

const folder = join(root, 'clients/woocommerce')

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface OrderThere {
  status: string
  total: string
  key: string
  meta: Record<string, string>
  notes: string[]
  stands: string
  data: Record<string, unknown>
}

/** A shop with a database, a web server and no way out of the machine. */
export interface Shop {
  url: string
  versions: { wordpress: string; woocommerce: string }
  products: number[]
  /** Runs an action of `deeds.php`. */
  deed: <T = Record<string, unknown>>(name: string, given?: Record<string, unknown>) => Promise<T>
  /** Lays another plug-in beside ours. */
  bring: (folder: string) => void
  /** A separate browser: it keeps its cookies. */
  visitor: () => Visitor
  /** Mails that left since it was last asked. */
  mails: () => Mail[]
  /** What PHP complained of about our plug-in. */
  complaints: () => string[]
  close: () => Promise<void>
}

const cookieText = (cookies: Map<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

function keepCookies(cookies: Map<string, string>, answer: Response): void {
  for (const one of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!
    cookies.set(name!, value!)
  }
}

/** Calls pages as a browser would. */
class Visitor {
  private readonly cookies = new Map<string, string>()
  private readonly url: string
  constructor(url: string) {
    this.url = url
  }
  async open(
    path: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; html: string; to: string }> {
    const answer = await fetch(path.startsWith('http') ? path : this.url + path, {
      redirect: 'manual',
      headers: { cookie: cookieText(this.cookies) },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    keepCookies(this.cookies, answer)
    return { status: answer.status, html: await answer.text(), to: answer.headers.get('location') ?? '' }
  }
  async logIn(name: string): Promise<void> {
    await this.open('/wp-login.php')
    await this.open('/wp-login.php', { log: name, pwd: 'let-me-in', testcookie: '1' })
  }
  /** Sends the form of a page as it is, with what is typed over it. */
  async submit(
    path: string,
    typed: Record<string, string>,
    without: string[] = [],
  ): Promise<{ status: number; html: string }> {
    const { html } = await this.open(path)
    const form = /<form[^>]*action="([^"]*admin-post\.php[^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(html)
    if (!form) throw new Error(`there is no form on ${path}`)
    const fields: Record<string, string> = {}
    for (const [input] of form[2]!.matchAll(/<input[^>]*>/g)) {
      const name = /\bname="([^"]*)"/.exec(input)?.[1]
      if (name && (!/type="checkbox"/.test(input) || /checked/.test(input)))
        fields[name] = /\bvalue="([^"]*)"/.exec(input)?.[1] ?? ''
    }
    for (const name of without) delete fields[name]
    const sent = await this.open(form[1]!, { ...fields, ...typed })
    return sent.to ? this.open(sent.to) : sent
  }
}

const port = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

/** Sets up a shop again: WordPress, WooCommerce, our plug-in as a merchant would have it, two products. */
export async function openShop({ hpos, locale }: { hpos: boolean; locale: string }): Promise<Shop> {
  const at = mkdtempSync(join(tmpdir(), 'shop-'))
  const running: ChildProcess[] = []
  const close = async () => {
    for (const child of running.reverse()) {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode !== null) continue
      // The whole group: workers of PHP's server outlive it.
      process.kill(-child.pid!, 'SIGKILL')
      await gone
    }
    rmSync(at, { recursive: true, force: true })
  }
  try {
    const socket = join(at, 'db.sock')
    const database = ['--no-defaults', `--datadir=${at}/db`]
    execFileSync('mariadb-install-db', [
      ...database,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--user=root',
    ])
    running.push(
      spawn(
        'mariadbd',
        [
          ...database,
          '--user=root',
          `--socket=${socket}`,
          '--skip-networking',
          '--innodb-flush-log-at-trx-commit=0',
        ],
        {
          stdio: 'ignore',
          detached: true,
        },
      ),
    )
    for (const until = Date.now() + 20_000; ;) {
      if (spawnSync('mariadb', ['-S', socket, '-uroot', '-e', 'create database shop']).status === 0) break
      if (Date.now() > until) throw new Error('mariadb did not start')
      await sleep(100)
    }

    const site = join(at, 'site')
    const url = `http://127.0.0.1:${await port()}`
    cpSync(core, site, {
      recursive: true,
      dereference: true,
      filter: (from) => !from.endsWith('wp-config.php'),
    })
    for (const one of ['plugins', 'mu-plugins', 'uploads'])
      mkdirSync(join(site, 'wp-content', one), { recursive: true })
    // A language is one that WordPress has a file of: one that holds a heading and no text is enough.
    mkdirSync(join(site, 'wp-content/languages'), { recursive: true })
    const heading = `Language: ${locale}\n\0`
    const numbers = [0x950412de, 0, 1, 28, 36, 0, 44, 0, 44, heading.length - 1, 45]
    const catalogue = Buffer.concat([
      Buffer.from(Uint32Array.from(numbers).buffer),
      Buffer.from(`\0${heading}`),
    ])
    writeFileSync(join(site, `wp-content/languages/${locale}.mo`), catalogue)
    symlinkSync(woocommerce, join(site, 'wp-content/plugins/woocommerce'))
    symlinkSync(
      join(folder, 'pinkas-for-woocommerce'),
      join(site, 'wp-content/plugins/pinkas-for-woocommerce'),
    )
    symlinkSync(join(folder, 'tests/wordpress/stand.php'), join(site, 'wp-content/mu-plugins/stand.php'))
    const said: Record<string, string | boolean> = {
      DB_NAME: 'shop',
      DB_USER: 'root',
      DB_PASSWORD: '',
      DB_HOST: `localhost:${socket}`,
      DB_CHARSET: 'utf8mb4',
      DB_COLLATE: '',
      WP_HOME: url,
      WP_SITEURL: url,
      WP_DEBUG: true,
      WP_DEBUG_LOG: `${at}/debug.log`,
      WP_DEBUG_DISPLAY: false,
      WP_HTTP_BLOCK_EXTERNAL: true,
      WP_ACCESSIBLE_HOSTS: '127.0.0.1',
      DISABLE_WP_CRON: true,
      STAND_MAILS: `${at}/mails`,
    }
    for (const one of ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'])
      Object.assign(said, { [`${one}_KEY`]: `${at}${one}`, [`${one}_SALT`]: one })
    const defined = Object.entries(said).map(
      ([name, value]) => `define( '${name}', ${typeof value === 'boolean' ? value : `'${value}'`} );`,
    )
    writeFileSync(
      join(site, 'wp-config.php'),
      `<?php\n${defined.join('\n')}\n$table_prefix = 'wp_';\ndefined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );\nrequire_once ABSPATH . 'wp-settings.php';\n`,
    )

    const complaints = (about: RegExp) =>
      (existsSync(join(at, 'debug.log'))
        ? readFileSync(join(at, 'debug.log'), 'utf8').split('\n')
        : []
      ).filter((line) => about.test(line))
    // Not spawnSync: the action may call the server of this very process.
    const deed = <T>(name: string, given: Record<string, unknown> = {}) =>
      new Promise<T>((resolve, reject) => {
        const args = [join(folder, 'tests/wordpress/deeds.php'), site, name, JSON.stringify(given)]
        execFile('php', args, { encoding: 'utf8' }, (error, out, err) => {
          try {
            resolve(JSON.parse(out) as T)
          } catch {
            reject(
              new Error(
                `${name}: ${error?.message ?? ''} ${text(out)} ${err.slice(-2000)} ${complaints(/Fatal/).slice(-3).join('\n')}`,
              ),
            )
          }
        })
      })
    const { wordpress } = await deed<{ wordpress: string }>('install', { locale })
    await deed('activate', { plugin: 'woocommerce/woocommerce.php' })
    const furnished = await deed<{ products: number[]; woocommerce: string }>('furnish', { hpos })
    const on = await deed<{ failed: string | null }>('activate', {
      plugin: 'pinkas-for-woocommerce/pinkas-for-woocommerce.php',
    })
    if (on.failed) throw new Error(on.failed)

    running.push(
      spawn('php', ['-S', url.slice('http://'.length), '-t', site], {
        stdio: 'ignore',
        detached: true,
        env: { ...process.env, PHP_CLI_SERVER_WORKERS: '4' },
      }),
    )
    for (const until = Date.now() + 20_000; ;) {
      if (
        await fetch(`${url}/wp-login.php`).then(
          (a) => a.ok,
          () => false,
        )
      )
        break
      if (Date.now() > until) throw new Error('the shop did not open')
      await sleep(100)
    }
    let read = 0
    return {
      url,
      versions: { wordpress, woocommerce: furnished.woocommerce },
      products: furnished.products,
      deed,
      bring: (from) => cpSync(from, join(site, 'wp-content/plugins', basename(from)), { recursive: true }),
      visitor: () => new Visitor(url),
      mails: () => {
        const all = existsSync(join(at, 'mails'))
          ? readFileSync(join(at, 'mails'), 'utf8').trim().split('\n')
          : []
        const fresh = all.slice(read).map((line) => JSON.parse(line) as Mail)
        read = all.length
        return fresh
      },
      complaints: () => complaints(/pinkas/i),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A buyer goes through the shop's own checkout. */
export async function buy(
  shop: Shop,
  {
    lines,
    coupon,
    method,
  }: { lines: [product: number, quantity: number][]; coupon?: string; method: string },
): Promise<{ id: number; ms: number; thanks: string }> {
  const base = `${shop.url}/index.php?rest_route=/wc/store/v1`
  const cookies = new Map<string, string>()
  let nonce = ''
  const ask = async (verb: string, path: string, body?: unknown) => {
    const answer = await fetch(base + path, {
      method: verb,
      headers: { 'content-type': 'application/json', nonce, cookie: cookieText(cookies) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    nonce = answer.headers.get('nonce') ?? nonce
    keepCookies(cookies, answer)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  await ask('GET', '/cart')
  for (const [id, quantity] of lines) await ask('POST', '/cart/add-item', { id, quantity })
  if (coupon) await ask('POST', '/cart/apply-coupon', { code: coupon })
  const address = {
    first_name: 'נועה',
    last_name: 'כהן',
    company: '',
    address_1: 'הרצל 5',
    address_2: '',
    city: 'חיפה',
    state: '',
    postcode: '3303101',
    country: 'IL',
    phone: '0501234567',
  }
  const billing = { ...address, email: 'noa@buyer.example' }
  await ask('POST', '/cart/update-customer', { billing_address: billing, shipping_address: address })
  const began = Date.now()
  const { status, body } = await ask('POST', '/checkout', {
    billing_address: billing,
    shipping_address: address,
    payment_method: method,
    customer_note: '',
  })
  if (status !== 200) throw new Error(`the checkout refused: ${JSON.stringify(body)}`)
  const { redirect_url: thanks } = body.payment_result as { redirect_url: string }
  return { id: Number(body.order_id), ms: Date.now() - began, thanks }
}
