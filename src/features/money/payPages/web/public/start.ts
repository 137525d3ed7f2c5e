import type { Language, ShownPage } from '../../shown.ts'
import { drawPage, type Doors, type Outcome, type PageWords, type Refusal } from './draw.ts'

/** What the server lays into the page. */
export interface Laid {
  page: ShownPage
  words: PageWords
  key: string
  sites: string[]
}

type Answer = Record<string, unknown>

/**
 * Starts a page that is shown to a payer: draws it, pays by it, and tells the site that frames it what became
 * of that.
 */
export function startPage(host: HTMLElement, { page, words, key, sites }: Laid): () => void {
  const isFramed = window.parent !== window
  const base = `/api2/invoice/paymentpage/${encodeURIComponent(key)}`
  const query = new URLSearchParams(location.search)
  const visit = crypto.randomUUID()
  let isOver = false

  /**
   * As everywhere in the product: what was not answered, or by one of these, is sent twice more under the
   * same key, which the server answers as the first time.
   */
  async function ask(path: string, type: string, body: string | File): Promise<Answer & Partial<Refusal>> {
    const headers = {
      'content-type': type,
      'x-language': page.language,
      'idempotency-key': crypto.randomUUID(),
    }
    for (let left = 2; ; left--) {
      const answer = await fetch(`${base}/${path}`, { method: 'POST', headers, body }).catch(() => undefined)
      if (left === 0 || (answer && ![500, 401, 404].includes(answer.status)))
        return (await answer?.json().catch(() => undefined)) ?? { code: 'kit.failed' }
      await new Promise((done) => setTimeout(done, 1000))
    }
  }
  const send = (path: string, body: Answer) => ask(path, 'application/json', JSON.stringify(body))
  async function attach(field: string, file: File): Promise<{ id: string; name: string } | Refusal> {
    const asked = new URLSearchParams({ visit, name: file.name.slice(-200) })
    const said = await ask(`files/${encodeURIComponent(field)}?${asked}`, 'application/octet-stream', file)
    return typeof said.id === 'string' ? (said as never) : refusalOf(said)
  }
  const refusalOf = (answer: Answer & Partial<Refusal>): Refusal => ({
    code: answer.code ?? 'kit.failed',
    params: answer.params,
    errors: answer.errors,
  })

  /** Only the sites that were named hear of it. */
  function tell(message: Answer): void {
    if (!isFramed) return
    const [ancestor] = (location.ancestorOrigins as DOMStringList | undefined) ?? []
    const said = ancestor ?? (document.referrer ? new URL(document.referrer).origin : undefined)
    for (const site of said === undefined ? sites : sites.filter((one) => one === said))
      window.parent.postMessage({ source: 'pinkas', ...message }, site)
  }

  const utm = Object.fromEntries(
    [...query]
      .filter(([name, value]) => /^utm_[a-z]{1,16}$/.test(name) && value !== '')
      .map(([name, value]) => [name, value.slice(0, 100)]),
  )
  const site = isFramed && document.referrer ? new URL(document.referrer).origin.slice(0, 200) : ''

  const doors: Doors = {
    pay: async (given) => {
      // A form of an acquirer rarely allows framing: it is in a separate window, opened by the very press.
      const own = isFramed ? window.open('', '_blank') : null
      const answer = await send('begin', {
        ...given,
        visit,
        language: page.language,
        framed: isFramed,
        site,
        utm,
      })
      if (typeof answer.url !== 'string') {
        own?.close()
        return refusalOf(answer)
      }
      if (!isFramed) location.href = answer.url
      else if (own) {
        own.location.href = answer.url
        drawn.show({ state: 'elsewhere' })
        tell({ type: 'state', state: 'begun' })
        void watch(String(answer.chargeId))
      } else window.open(answer.url, '_top')
      return undefined
    },
    price: async (basket) => {
      const answer = await send('price', basket)
      return typeof answer.totalAgorot === 'number' ? (answer as never) : refusalOf(answer)
    },
    attach,
    languageHref: (language: Language) => {
      const next = new URLSearchParams(query)
      next.set('lang', language)
      return `${location.pathname}?${next}`
    },
  }
  const drawn = drawPage(host, page, words, doors)

  const outcomeOf = async (charge: string, told?: string): Promise<Outcome & { thanksUrl?: string }> => {
    const answer = await send('check', { charge, ...(told ? { told } : {}) })
    return typeof answer.state === 'string' ? (answer as never) : { state: 'inDoubt' }
  }
  const isEnd = ({ state }: Outcome) => state !== 'open' && state !== 'inDoubt' && state !== 'declined'

  /** While the form is in another window, the frame polls its state. */
  async function watch(charge: string): Promise<void> {
    for (let i = 0; i < 240 && !isOver; i++) {
      await new Promise((done) => setTimeout(done, i < 40 ? 1500 : 4000))
      const outcome = await outcomeOf(charge)
      if (outcome.state !== 'open' && outcome.state !== 'inDoubt') {
        drawn.show(outcome)
        tell({ type: 'state', state: outcome.state, sumAgorot: outcome.sumAgorot ?? null })
      }
      if (isEnd(outcome)) return
    }
  }

  async function back(charge: string): Promise<void> {
    drawn.show({ state: 'checking' })
    let outcome = await outcomeOf(charge, location.search.slice(1, 4001))
    for (let i = 0; i < 8 && outcome.state === 'inDoubt' && !isOver; i++) {
      await new Promise((done) => setTimeout(done, 2000))
      outcome = await outcomeOf(charge)
    }
    drawn.show(outcome)
    if (outcome.thanksUrl) setTimeout(() => void (location.href = outcome.thanksUrl!), 2500)
  }
  const charge = query.get('charge')
  if (charge && /^[0-9a-f-]{36}$/.test(charge)) void back(charge)

  // The frame grows with its content.
  const seen = isFramed
    ? new ResizeObserver(() =>
        tell({ type: 'height', height: Math.ceil(host.getBoundingClientRect().height) }),
      )
    : undefined
  seen?.observe(host)
  return () => {
    isOver = true
    seen?.disconnect()
  }
}
