import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isTaxId } from '#domain/taxId.ts'
import type { Vault } from './rights/vault.ts'

/** The root of the checkout: everything that is read from disk at run time is found from here. */
export const root = (() => {
  let here = fileURLToPath(new URL('.', import.meta.url))
  while (!existsSync(join(here, 'package.json'))) {
    const up = resolve(here, '..')
    if (up === here) return process.cwd()
    here = up
  }
  return here
})()

/** A folder with fonts that this server adds to those of the paper, for scripts such as Chinese. */
export const fontsFolder = process.env.FONTS_DIR || undefined

/**
 * Whether somebody develops: what is read from files is read again there, since it changes while the server
 * runs. What was built changes with a start.
 */
export const readsAnew = process.env.PINKAS_DEV === '1' && import.meta.url.endsWith('.ts')

export interface Settings {
  port: number
  /**
   * Whether the port was asked for by name: then a taken port is an error instead of a reason to take the
   * next.
   */
  portAsked: boolean
  host: string
  dataDir: string
  databaseUrl: string | undefined
  workers: number
  /** Connections to the database of one server, over all its processes. */
  databaseConnections: number
  /** Calls of one session, or of an address without one, in a minute. */
  callsPerMinute: number
  publicUrl: string | undefined
  /**
   * Where people tell of a fault of security: an address of mail or a page, whole ('mailto:…', 'https://…').
   */
  securityContact: string | undefined
  /** Whom the legal texts name: where to write, and the accessibility coordinator. */
  contact: { mail: string; privacy: string; accessibility: { name: string; mail: string; phone: string } }
  /** What programs elsewhere present at /metrics; without one only this machine is answered. */
  metricsToken: string | undefined
  smtpUrl: string | undefined
  /**
   * Incoming emails with bills are accepted on this port; none without one. `domain` is the part after the @ of the
   * addresses shown.
   */
  mailIn: {
    port: number | undefined
    host: string
    domain: string
    /** Files of a certificate chain and its key (PEM): with both, mail may come encrypted (STARTTLS). */
    tls?: { cert: string; key: string } | undefined
  }
  /** A ClamAV daemon that files of strangers are scanned by: `tcp://host:port` or `unix:/path`; none without it. */
  virusScanner: string | undefined
  logLevel: string
  secretsFile: string
  development: boolean
  google: GoogleSettings | undefined
  /** Where programs may be told what happens: plain http as well; in development also this machine itself. */
  webhooks: { http: boolean; local: boolean }
  smsUrl: string | undefined
  /** Where the provider takes the text messages of businesses that have an account with it. */
  smsProviderUrl: string
  taxAuthority: TaxAuthoritySettings
  /**
   * Every business may take cards by the test acquirer, which moves no money; otherwise only demo businesses
   * may.
   */
  testAcquirer: boolean
  /**
   * Where stand-ins of all acquirers answer, each below its name; `simulator`: this server starts them; none,
   * and they are called where they are.
   */
  acquirersAt: string | undefined
  donations: DonationsSettings
  /** Where the rates of the Bank of Israel come from. */
  exchangeRates: ExchangeRatesSettings
  software: SoftwareSettings
  /**
   * The people who answer questions of all businesses, by the email address of their log-in; '*' is everybody, in
   * development only.
   */
  support: { operators: readonly string[] }
  /**
   * The business of the person who runs the installation, by whose subscription pages other businesses pay for the
   * product; undefined: nobody pays.
   */
  billingCompany: string | undefined
  /** Mail addresses of those who translate for the installation. */
  translators: readonly string[]
  /** Shops elsewhere, and the drive of a business: each by its app there, or a stand-in in this process. */
  shopify: OutsideApp | undefined
  wix: (OutsideApp & { publicKey: string }) | undefined
  drive: OutsideApp | undefined
  /** What people left in lead forms is asked of Facebook, or of a stand-in in this process. */
  facebook: 'real' | 'simulator'
}

/** What this installation is known by at a service that businesses connect to. */
export interface OutsideApp {
  /** simulator: a stand-in inside this process, which answers as the service's documentation says. */
  mode: 'real' | 'simulator'
  clientId: string
  clientSecret: string
}

/** Who answers for the program before the tax authority; empty where nobody was named. */
export interface SoftwareSettings {
  /** Of the certificate in the register of programs, up to eight digits. */
  registration: string
  /** Nine digits. */
  vendorTaxId: string
  vendorName: string
}

/** Log-in with Google. */
export interface GoogleSettings {
  /** simulator: inside this process, it accepts any claimed email address. */
  mode: 'real' | 'simulator'
  /**
   * The public name of this installation at Google. The log-in asks for an identity token, for which no
   * secret is needed.
   */
  clientId: string
}

/**
 * Donations Israel. Its interface for reporting is not public: addresses and names of fields are set here.
 */
export interface DonationsSettings {
  /** simulator: a stand-in inside this process. */
  mode: 'real' | 'simulator' | 'off'
  /**
   * Where people log in, where a code becomes a token, where a donation and its cancellation are reported;
   * whole addresses.
   */
  addresses: { authorize: string; token: string; report: string; cancel: string }
  clientId: string
  clientSecret: string
  /** Names of the fields that are sent and answered, where they differ from the built-in ones. */
  fields: Record<string, string>
}

/**
 * The tax authority's interface; what its documentation leaves open, or changes, is set here and not in the
 * code.
 */
export interface TaxAuthoritySettings {
  /** simulator: a stand-in inside this process that behaves as the documentation says. */
  mode: 'production' | 'sandbox' | 'simulator' | 'off'
  /** Where invoices are asked about, and where people log in; each without `/tsandbox` or `/production`. */
  apiUrl: string
  loginUrl: string
  clientId: string
  clientSecret: string
  /** The number this software is registered under. */
  softwareNumber: string
  /** Paths that differ from the built-in ones, by name. */
  paths: Record<string, string>
}

const whole = (name: string, fallback: number, from: number, to: number): number => {
  const given = process.env[name]
  if (given === undefined || given === '') return fallback
  const n = Number(given)
  if (!Number.isInteger(n) || n < from || n > to)
    throw new Error(`${name} must be a whole number from ${from} to ${to}, not "${given}"`)
  return n
}

/** A setting that holds names and values as JSON. */
function named(name: string): Record<string, string> {
  try {
    const given = JSON.parse(process.env[name] || '{}') as unknown
    if (given && typeof given === 'object' && Object.values(given).every((one) => typeof one === 'string'))
      return given as Record<string, string>
  } catch {
    // The same answer as for JSON of another shape.
  }
  throw new Error(`${name} must be a JSON object of texts by name`)
}

function oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
  const given = process.env[name] || fallback
  const value = values.find((one) => one === given)
  if (!value) throw new Error(`${name} must be one of ${values.join(', ')}, not "${given}"`)
  return value
}

function address(name: string): string | undefined {
  const given = process.env[name] || undefined
  if (given && !URL.canParse(given)) throw new Error(`${name} must be an address such as https://example.com`)
  return given
}

const hostOf = (url: string | undefined): string | undefined =>
  url && URL.canParse(url) ? new URL(url).hostname : undefined

/** `bank`: the public series of the Bank of Israel, or the same series at another address. */
export interface ExchangeRatesSettings {
  mode: 'bank' | 'simulator' | 'off'
  url: string
}

const rateModes = ['bank', 'simulator', 'off'] as const

function readExchangeRates(): ExchangeRatesSettings {
  const mode = oneOf('EXCHANGE_RATES', rateModes, process.env.PINKAS_DEV === '1' ? 'simulator' : 'bank')
  const series = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0/'
  return { mode, url: address('EXCHANGE_RATES_URL') ?? series }
}

const authorityModes = ['production', 'sandbox', 'simulator', 'off'] as const

function readTaxAuthority(): TaxAuthoritySettings {
  const mode = oneOf('TAX_AUTHORITY', authorityModes, process.env.PINKAS_DEV === '1' ? 'simulator' : 'off')
  const clientId = process.env.TAX_AUTHORITY_CLIENT_ID || ''
  const clientSecret = process.env.TAX_AUTHORITY_CLIENT_SECRET || ''
  if ((mode === 'production' || mode === 'sandbox') && !(clientId && clientSecret))
    throw new Error(`TAX_AUTHORITY=${mode} needs TAX_AUTHORITY_CLIENT_ID and TAX_AUTHORITY_CLIENT_SECRET`)
  const without = (url: string) => url.replace(/\/+$/, '')
  return {
    mode,
    apiUrl: without(process.env.TAX_AUTHORITY_API_URL || 'https://ita-api.taxes.gov.il/shaam'),
    loginUrl: without(process.env.TAX_AUTHORITY_LOGIN_URL || 'https://openapi.taxes.gov.il/shaam'),
    clientId,
    clientSecret,
    softwareNumber: process.env.TAX_AUTHORITY_SOFTWARE_NUMBER || '',
    paths: named('TAX_AUTHORITY_PATHS'),
  }
}

/** Whether a host is this machine. */
export const isHere = (host: string | undefined): boolean =>
  host === undefined || /^(127(\.\d+){3}|localhost|\[?::1\]?)$/.test(host)

/** The stand-in lets anybody in under any mail address: only where nobody but this machine can reach it. */
function readGoogle(): GoogleSettings | undefined {
  if (process.env.GOOGLE_CLIENT_ID) return { mode: 'real', clientId: process.env.GOOGLE_CLIENT_ID }
  const isAlone = isHere(process.env.HOST || undefined) && isHere(hostOf(process.env.PUBLIC_URL))
  return process.env.PINKAS_DEV === '1' && isAlone ? { mode: 'simulator', clientId: 'stand-in' } : undefined
}

const donationModes = ['real', 'simulator', 'off'] as const

function readDonations(): DonationsSettings {
  const mode = oneOf('DONATIONS', donationModes, process.env.PINKAS_DEV === '1' ? 'simulator' : 'off')
  const addresses: Partial<DonationsSettings['addresses']> = named('DONATIONS_ADDRESSES')
  const { authorize = '', token = '', report = '', cancel = '' } = addresses
  if (mode === 'real' && !(authorize && token && report && cancel))
    throw new Error('DONATIONS=real needs DONATIONS_ADDRESSES with authorize, token, report and cancel')
  return {
    mode,
    addresses: { authorize, token, report, cancel },
    clientId: process.env.DONATIONS_CLIENT_ID || '',
    clientSecret: process.env.DONATIONS_CLIENT_SECRET || '',
    fields: named('DONATIONS_FIELDS'),
  }
}

function readSoftware(): SoftwareSettings {
  const registration = process.env.SOFTWARE_REGISTRATION || ''
  const vendorTaxId = process.env.SOFTWARE_VENDOR_ID || ''
  if (!/^\d{0,8}$/.test(registration))
    throw new Error(`SOFTWARE_REGISTRATION is up to eight digits, not "${registration}"`)
  if (vendorTaxId && !isTaxId(vendorTaxId))
    throw new Error(`SOFTWARE_VENDOR_ID is nine digits with their check digit, not "${vendorTaxId}"`)
  return {
    registration,
    vendorTaxId,
    vendorName: (process.env.SOFTWARE_VENDOR_NAME || 'Pinkas').slice(0, 20),
  }
}

function readSupport(): Settings['support'] {
  const isDevelopment = process.env.PINKAS_DEV === '1'
  const operators = (process.env.SUPPORT_OPERATORS || (isDevelopment ? '*' : ''))
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean)
  for (const one of operators)
    if (!/^[^\s@]+@[^\s@]+$/.test(one) && !(one === '*' && isDevelopment))
      throw new Error(`SUPPORT_OPERATORS must be mail addresses, not "${one}"`)
  return { operators }
}

/**
 * The app by `<NAME>_CLIENT_ID` and `<NAME>_CLIENT_SECRET`; a stand-in in development, where nobody but this
 * machine can reach it.
 */
function readOutsideApp(name: string): OutsideApp | undefined {
  const [clientId, clientSecret] = [
    process.env[`${name}_CLIENT_ID`] || '',
    process.env[`${name}_CLIENT_SECRET`] || '',
  ]
  if (clientId && clientSecret) return { mode: 'real', clientId, clientSecret }
  if (clientId || clientSecret)
    throw new Error(`${name} needs both ${name}_CLIENT_ID and ${name}_CLIENT_SECRET`)
  const isAlone = isHere(process.env.HOST || undefined) && isHere(hostOf(process.env.PUBLIC_URL))
  return process.env.PINKAS_DEV === '1' && isAlone
    ? { mode: 'simulator', clientId: 'stand-in', clientSecret: 'a secret of the stand-in' }
    : undefined
}

function readMailInTls(): Settings['mailIn']['tls'] {
  const { MAIL_IN_TLS_CERT: cert, MAIL_IN_TLS_KEY: key } = process.env
  if (!cert !== !key) throw new Error('MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY go together')
  return cert && key ? { cert: resolve(cert), key: resolve(key) } : undefined
}

function readVirusScanner(): string | undefined {
  const given = process.env.VIRUS_SCANNER || undefined
  if (given && !/^(tcp:\/\/[^/]+|unix:\/.+)$/.test(given))
    throw new Error(`VIRUS_SCANNER is tcp://host:port or unix:/path, not "${given}"`)
  return given
}

function readBillingCompany(): string | undefined {
  const given = process.env.BILLING_COMPANY || undefined
  if (given && !/^[0-9a-f-]{36}$/.test(given))
    throw new Error(`BILLING_COMPANY must be the id of a business, not "${given}"`)
  return given
}

function readWix(): Settings['wix'] {
  const app = readOutsideApp('WIX')
  const publicKey = (process.env.WIX_PUBLIC_KEY || '').replaceAll('\\n', '\n')
  if (app?.mode === 'real' && !publicKey)
    throw new Error('WIX_CLIENT_ID needs WIX_PUBLIC_KEY, which notices are signed with')
  return app && { ...app, publicKey }
}

/** The address that RFC 2142 keeps for it, where we are reached by a name. */
const securityMailAt = (host: string | undefined): string | undefined =>
  host && /[a-z]$/i.test(host) && host.includes('.') ? `mailto:security@${host}` : undefined

/** One address given is the address for all of it. */
function readContact(): Settings['contact'] {
  const {
    CONTACT_MAIL: mail,
    PRIVACY_MAIL,
    ACCESSIBILITY_MAIL,
    ACCESSIBILITY_NAME,
    ACCESSIBILITY_PHONE,
  } = process.env
  return {
    mail: mail || 'hello@pinkas.example',
    privacy: PRIVACY_MAIL || mail || 'privacy@pinkas.example',
    accessibility: {
      name: ACCESSIBILITY_NAME || '',
      mail: ACCESSIBILITY_MAIL || mail || 'accessibility@pinkas.example',
      phone: ACCESSIBILITY_PHONE || '',
    },
  }
}

/** Reads the environment once; `docs/settings.md` lists every name with its default. */
export function readSettings(): Settings {
  const dataDir = resolve(process.env.DATA_DIR || join(root, '.data'))
  return {
    port: whole('PORT', 3000, 0, 65535),
    portAsked: !!process.env.PORT,
    host: process.env.HOST || '127.0.0.1',
    dataDir,
    databaseUrl: process.env.DATABASE_URL || undefined,
    workers: whole('WORKERS', 1, 1, 64),
    databaseConnections: whole('DATABASE_CONNECTIONS', 40, 8, 10_000),
    callsPerMinute: whole('CALLS_PER_MINUTE', 60_000, 1, 10_000_000),
    publicUrl: address('PUBLIC_URL')?.replace(/\/+$/, ''),
    securityContact: process.env.SECURITY_CONTACT || securityMailAt(hostOf(process.env.PUBLIC_URL)),
    contact: readContact(),
    metricsToken: process.env.METRICS_TOKEN || undefined,
    smtpUrl: address('SMTP_URL'),
    mailIn: {
      port: process.env.MAIL_IN_PORT ? whole('MAIL_IN_PORT', 0, 0, 65535) : undefined,
      host: process.env.MAIL_IN_HOST || process.env.HOST || '127.0.0.1',
      domain: process.env.MAIL_IN_DOMAIN || hostOf(process.env.PUBLIC_URL) || 'localhost',
      tls: readMailInTls(),
    },
    virusScanner: readVirusScanner(),
    logLevel: oneOf('LOG_LEVEL', ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], 'info'),
    secretsFile: resolve(process.env.SECRETS_FILE || join(dataDir, 'secrets.json')),
    development: process.env.PINKAS_DEV === '1',
    google: readGoogle(),
    webhooks: {
      http: process.env.WEBHOOKS_HTTP === '1',
      local: process.env.PINKAS_DEV === '1' && isHere(process.env.HOST || undefined),
    },
    smsUrl: address('SMS_URL'),
    smsProviderUrl: address('SMS_PROVIDER_URL') ?? 'https://019sms.co.il/api',
    taxAuthority: readTaxAuthority(),
    acquirersAt:
      process.env.ACQUIRERS_AT?.replace(/\/$/, '') ||
      (process.env.PINKAS_DEV === '1' ? 'simulator' : undefined),
    testAcquirer: (process.env.TEST_ACQUIRER || process.env.PINKAS_DEV) === '1',
    donations: readDonations(),
    exchangeRates: readExchangeRates(),
    software: readSoftware(),
    support: readSupport(),
    billingCompany: readBillingCompany(),
    translators: (process.env.TRANSLATORS || '')
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter(Boolean),
    shopify: readOutsideApp('SHOPIFY'),
    wix: readWix(),
    drive: readOutsideApp('GOOGLE_DRIVE'),
    facebook: oneOf('FACEBOOK', ['real', 'simulator'], process.env.PINKAS_DEV === '1' ? 'simulator' : 'real'),
  }
}

/** The keys of the installation, from SECRETS_FILE. */
export interface Secrets {
  /** Encrypts what must be read back: signing keys, second-factor secrets, connections. */
  vault: Vault
  /** Makes addresses and marks that nobody else can make. It stays when the vault key is replaced: links would end. */
  mac: Buffer
}

/** What SECRETS_FILE holds, in base64. `mac` is absent until the vault key is first replaced, and is that key until then. */
interface SecretsOnDisk {
  vault: string
  before?: string[]
  mac?: string
}

const readFileOf = (file: string): SecretsOnDisk => JSON.parse(readFileSync(file, 'utf8')) as SecretsOnDisk

const secretsOf = ({ vault, before = [], mac = vault }: SecretsOnDisk): Secrets => {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  return { vault: { current: bytes(vault), before: before.map(bytes) }, mac: bytes(mac) }
}

/** Written aside and then given its name: a process that starts at the same moment sees the whole file or none. */
function writeAside(file: string, secrets: SecretsOnDisk): string {
  const aside = `${file}.${randomUUID()}`
  writeFileSync(aside, JSON.stringify(secrets), { mode: 0o600, flag: 'wx' })
  return aside
}

/**
 * The key file is made at the first start, readable by its owner only. Losing it loses the stored signing
 * keys.
 */
export function readSecrets(file: string): Secrets {
  if (!existsSync(file)) {
    mkdirSync(resolve(file, '..'), { recursive: true, mode: 0o700 })
    const aside = writeAside(file, { vault: randomBytes(32).toString('base64') })
    try {
      linkSync(aside, file)
    } catch (e) {
      // A second process was quicker: its file counts.
      if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e
    } finally {
      rmSync(aside)
    }
  }
  return secretsOf(readFileOf(file))
}

/** Puts a new vault key in front of the others, which go on to decrypt. */
export function addVaultKey(file: string): Secrets {
  const { vault, before = [], mac = vault } = readFileOf(file)
  const next = { vault: randomBytes(32).toString('base64'), before: [vault, ...before], mac }
  renameSync(writeAside(file, next), file)
  return secretsOf(next)
}

/** Takes the vault keys of before away; what is still sealed with one of them is lost. */
export function dropOlderVaultKeys(file: string): void {
  const { vault, mac = vault } = readFileOf(file)
  renameSync(writeAside(file, { vault, mac }), file)
}
