import { formatMoney } from '#domain/format.ts'
import { takesWallet, walletNames, type Wallet } from '#features/money/acquirers/acquirers.ts'
import { chargesOf, type CouponGiven, type Language, type ShownPage } from '../../shown.ts'

/*
 * The page a payer sees, drawn without a framework: it is opened on phones that pay for every kilobyte, by
 * people who come once. The editor draws its picture with the same hand.
 */

export type PageWords = Readonly<Record<string, string>>

export interface Given {
  lines: { id: string; quantity: number }[]
  sumAgorot?: number
  coupon: string
  payer: { name: string; email: string; phone: string; taxId: string }
  answers: Record<string, string | boolean>
  agrees: boolean
  seenAgorot: number
  wallet?: Wallet
}

/** What a call was refused with. */
export interface Refusal {
  code: string
  params?: Record<string, unknown> | undefined
  errors?: { path: string; code: string; params?: Record<string, unknown> }[] | undefined
}

export interface Doors {
  pay: (given: Given) => Promise<Refusal | undefined>
  price: (basket: Pick<Given, 'lines' | 'coupon'>) => Promise<CouponGiven | Refusal>
  /** Sends a file for the field of that key; answers what it is known by. */
  attach: (field: string, file: File) => Promise<{ id: string; name: string } | Refusal>
  languageHref: (language: Language) => string
}

export interface Outcome {
  state:
    | 'open'
    | 'declined'
    | 'inDoubt'
    | 'paid'
    | 'held'
    | 'subscribed'
    | 'surplus'
    | 'lapsed'
    | 'checking'
    | 'elsewhere'
  code?: string
  sumAgorot?: number
  paper?: { key: string; name: string } | null
  orderUrl?: string
}

const languageNames: Readonly<Record<Language, string>> = {
  he: 'עברית',
  en: 'English',
  ar: 'العربية',
  ru: 'Русский',
  fr: 'Français',
}
/** As the server takes it. */
const mostFileBytes = 8 * 1024 * 1024
const errorBase = 'errors.'

type Child = Node | string | false | null | undefined
type Attributes = Record<string, string | boolean | ((event: Event) => void)>

function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (value === true) made.setAttribute(name, '')
    else if (value !== false) made.setAttribute(name, value)
  }
  made.append(
    ...children.filter(
      (child): child is Node | string => child !== false && child !== null && child !== undefined,
    ),
  )
  return made
}

const fill = (text: string, params: Record<string, unknown> = {}): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => (name in params ? String(params[name]) : all))

/** A sum, set apart so that its sign and digits stay together in both directions. */
function money(agorot: number): HTMLElement {
  return h('bdi', { class: 'num', dir: 'ltr' }, h('small', {}, '₪'), formatMoney(agorot))
}

/** A sentence with amounts inside it. */
function withSums(text: string, sums: Record<string, number>, more: Record<string, unknown> = {}): Node {
  const out = document.createDocumentFragment()
  let at = 0
  for (const match of text.matchAll(/\{(\w+)\}/g)) {
    out.append(text.slice(at, match.index))
    const name = match[1]!
    out.append(name in sums ? money(sums[name]!) : h('bdi', {}, String(more[name] ?? '')))
    at = match.index + match[0].length
  }
  out.append(text.slice(at))
  return out
}

/** Whether white or black is read better on a colour. */
export function inkOn(colour: string): '#ffffff' | '#14211d' {
  const channel = (at: number) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const light = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.0633 ? '#ffffff' : '#14211d'
}

let made = 0

export interface Drawn {
  show: (outcome: Outcome) => void
  /** What was typed, so that a picture that is drawn again loses nothing. */
  focus: () => void
}

/** Draws a page into a place. Without doors it is a picture of itself. */
export function drawPage(host: HTMLElement, page: ShownPage, words: PageWords, doors?: Doors): Drawn {
  const t = (key: string, params: Record<string, unknown> = {}): string => fill(words[key] ?? key, params)
  const id = `pp${++made}`
  host.replaceChildren()
  host.className = 'pp'
  host.lang = page.language
  host.dir = page.language === 'he' || page.language === 'ar' ? 'rtl' : 'ltr'
  const accent = /^#[0-9a-f]{6}$/.test(page.accent) ? page.accent : '#0b5d52'
  host.style.setProperty('--pp-accent', accent)
  host.style.setProperty('--pp-on-accent', inkOn(accent))

  const quantities = new Map<string, number>()
  for (const item of page.items)
    if (item.isFixed || page.items.length === 1) quantities.set(item.id, Math.min(1, item.most))
  let freeSum: number | undefined = page.sumKind === 'suggested' ? page.suggested[0] : undefined
  let coupon: CouponGiven | undefined
  let isBusy = false

  const gross = (): number =>
    page.sumKind === 'items'
      ? page.items.reduce((sum, item) => sum + (quantities.get(item.id) ?? 0) * item.priceAgorot, 0)
      : (freeSum ?? 0)
  const charges = () => chargesOf(page.plan, gross(), coupon)
  const now = (): number => charges().nowAgorot

  // The head: whose page it is
  const { business } = page
  const mark = page.logo
    ? h('img', { class: 'pp-logo', src: page.logo, alt: '' })
    : h('span', { class: 'pp-mark', 'aria-hidden': 'true' }, [...business.name][0] ?? '')
  const head = h(
    'header',
    { class: 'pp-head' },
    mark,
    h(
      'div',
      {},
      h('b', { dir: 'auto' }, business.name),
      business.taxId ? h('span', { class: 'pp-sub' }, h('bdi', { class: 'num' }, business.taxId)) : null,
    ),
  )
  // A picture of the page is beside its content.
  const main = h('main', { class: 'pp-main', tabindex: '-1', ...(doors ? { id: 'content' } : {}) })
  const foot = h('footer', { class: 'pp-foot' })
  host.append(h('div', { class: 'pp-in' }, head, main, foot))

  const lead = h('section', { class: 'pp-card pp-lead', 'aria-labelledby': `${id}-title` })
  if (page.picture) lead.append(h('img', { class: 'pp-picture', src: page.picture, alt: '' }))
  lead.append(h('h1', { id: `${id}-title`, dir: 'auto' }, page.title))
  if (page.text) lead.append(h('p', { class: 'pp-text', dir: 'auto' }, page.text))
  if (page.placesLeft !== null && page.state === 'open')
    lead.append(h('p', { class: 'pp-few' }, t('placesLeft', { count: page.placesLeft })))
  main.append(lead)

  const status = h('div', { class: 'pp-status', role: 'status', 'aria-live': 'polite' })
  const errors = new Map<string, { say: (text: string) => void; at: HTMLElement }>()

  /** A field with its label and the place for what is wrong with it. */
  function field(name: string, label: string, control: HTMLElement, isMust: boolean, hint = ''): HTMLElement {
    const fieldId = `${id}-${name.replace(/\W/g, '-')}`
    const wrong = h('p', { class: 'pp-wrong', id: `${fieldId}-wrong` })
    control.id = fieldId
    control.setAttribute('name', name)
    control.setAttribute('aria-describedby', hint ? `${fieldId}-wrong ${fieldId}-hint` : `${fieldId}-wrong`)
    if (isMust) control.setAttribute('aria-required', 'true')
    control.addEventListener('input', () => say(''))
    const say = (text: string) => {
      wrong.textContent = text
      control.toggleAttribute('aria-invalid', text !== '')
      if (text) control.setAttribute('aria-invalid', 'true')
    }
    errors.set(name, { say, at: control })
    return h(
      'div',
      { class: 'pp-field' },
      h(
        'label',
        { for: fieldId, dir: 'auto' },
        label,
        isMust ? null : h('span', { class: 'pp-sub' }, ` ${t('optional')}`),
      ),
      control,
      hint ? h('p', { class: 'pp-sub', id: `${fieldId}-hint` }, hint) : null,
      wrong,
    )
  }
  function tick(
    name: string,
    label: Node | string,
    extra?: HTMLElement,
  ): { box: HTMLElement; input: HTMLInputElement } {
    const fieldId = `${id}-${name.replace(/\W/g, '-')}`
    const input = h('input', { type: 'checkbox', id: fieldId, name, 'aria-describedby': `${fieldId}-wrong` })
    const wrong = h('p', { class: 'pp-wrong', id: `${fieldId}-wrong` })
    input.addEventListener('change', () => say(''))
    const say = (text: string) => {
      wrong.textContent = text
      if (text) input.setAttribute('aria-invalid', 'true')
      else input.removeAttribute('aria-invalid')
    }
    errors.set(name, { say, at: input })
    return {
      input,
      box: h(
        'div',
        { class: 'pp-tick' },
        h('div', {}, input, h('label', { for: fieldId, dir: 'auto' }, label)),
        extra ?? null,
        wrong,
      ),
    }
  }

  // What it comes to
  const summary = h('div', { class: 'pp-summary' })
  const button = h('button', { type: 'submit', class: 'pp-pay' })
  // Apple's is for its own devices; a picture shows what there is.
  const offered = page.wallets.filter((one) => one !== 'applePay' || !doors || 'ApplePaySession' in window)
  const walletButtons = offered.map((wallet) => {
    const own = h(
      'button',
      { type: 'button', class: 'pp-soft pp-wallet', click: () => void submit(own, wallet) },
      withSums(t('payWith'), {}, { means: walletNames[wallet] }),
    )
    return { wallet, own }
  })
  const beside = walletButtons.length
    ? h(
        'div',
        { class: 'pp-wallets', role: 'group', 'aria-label': t('otherMeans') },
        ...walletButtons.map(({ own }) => own),
      )
    : null
  function sumUp(): void {
    const rows: HTMLElement[] = []
    const row = (label: Node | string, value: Node | string, kind = '') =>
      void rows.push(h('div', { class: `pp-row ${kind}` }, h('span', {}, label), h('span', {}, value)))
    if (coupon)
      row(
        h('span', {}, `${t('coupon')} `, h('b', {}, h('bdi', {}, coupon.code))),
        h('span', { class: 'pp-less' }, '−', money(coupon.discountAgorot)),
        'pp-good',
      )
    const big = h('p', { class: 'pp-sum', 'aria-live': 'polite' }, money(now()))
    if (page.plan) {
      const { plan } = page
      const isLater = plan.trialDays > 0 || !plan.chargeToday
      row(
        plan.trialDays > 0 ? t('trial', { count: plan.trialDays }) : t(isLater ? 'firstLater' : 'firstNow'),
        money(now()),
      )
      row(
        withSums(t(plan.everyN === 1 ? 'everyMonth' : 'everyMonths'), {}, { count: plan.everyN }),
        money(charges().everyAgorot),
      )
      if (plan.billingDay > 0) row(t('onDay'), h('bdi', { class: 'num' }, String(plan.billingDay)))
      if (plan.times) row(t('times'), h('bdi', { class: 'num' }, String(plan.times)))
      rows.push(h('p', { class: 'pp-sub' }, t('howToStop')))
    } else if (page.mostInstalments > 1)
      rows.push(h('p', { class: 'pp-sub' }, t('instalments', { count: page.mostInstalments })))
    summary.replaceChildren(big, ...rows)
    for (const { wallet, own } of walletButtons) own.hidden = !takesWallet(wallet, now())
    const label =
      page.button || t(page.kind === 'hold' ? 'hold' : page.kind === 'subscription' ? 'subscribe' : 'pay')
    button.replaceChildren(h('span', {}, label), now() > 0 ? h('span', {}, money(now())) : '')
  }

  const basket = (): Given['lines'] =>
    page.sumKind === 'items'
      ? [...quantities]
          .filter(([, quantity]) => quantity > 0)
          .map(([itemId, quantity]) => ({ id: itemId, quantity }))
      : []
  function changed(): void {
    // A coupon was worked out for another basket.
    if (coupon) void applyCoupon(coupon.code)
    sumUp()
  }

  // What is chosen
  const choosing = h('div', { class: 'pp-items' })
  const chooseWrong = h('p', { class: 'pp-wrong', role: 'alert' })
  if (page.sumKind === 'items') {
    for (const item of page.items) choosing.append(itemRow(item))
  } else choosing.append(...sumFields())
  errors.set('lines', { say: (text) => void (chooseWrong.textContent = text), at: choosing })

  function itemRow(item: ShownPage['items'][number]): HTMLElement {
    const isGone = item.most < 1
    const count = h('output', { class: 'num', 'aria-live': 'polite' })
    const less = h('button', { type: 'button', 'aria-label': `${t('less')}: ${item.name}` }, '−')
    const more = h('button', { type: 'button', 'aria-label': `${t('more')}: ${item.name}` }, '+')
    const least = item.isFixed ? 1 : 0
    const put = (quantity: number) => {
      quantities.set(item.id, quantity)
      count.textContent = String(quantity)
      less.disabled = quantity <= least
      more.disabled = quantity >= item.most
      chooseWrong.textContent = ''
    }
    const step = (by: number) => {
      put(Math.max(least, Math.min(item.most, (quantities.get(item.id) ?? 0) + by)))
      changed()
    }
    less.addEventListener('click', () => step(-1))
    more.addEventListener('click', () => step(1))
    put(isGone ? 0 : (quantities.get(item.id) ?? 0))
    const isSingle = item.isFixed && item.most === 1
    return h(
      'div',
      { class: isGone ? 'pp-item pp-gone' : 'pp-item' },
      h(
        'div',
        {},
        h('span', { dir: 'auto' }, item.name),
        h('span', { class: 'pp-sub' }, money(item.priceAgorot)),
        isGone
          ? h('span', { class: 'pp-few' }, t('soldOut'))
          : item.left !== null
            ? h('span', { class: 'pp-few' }, t('left', { count: item.left }))
            : null,
      ),
      isGone || isSingle ? null : h('div', { class: 'pp-count' }, less, count, more),
    )
  }

  function sumFields(): HTMLElement[] {
    const typed = h('input', {
      type: 'text',
      inputmode: 'decimal',
      dir: 'ltr',
      autocomplete: 'off',
      class: 'num',
    })
    const read = () => {
      const value = typed.value.replace(/[,\s₪]/g, '')
      freeSum = /^\d{1,7}(\.\d{1,2})?$/.test(value) ? Math.round(Number(value) * 100) : undefined
      sumUp()
    }
    typed.addEventListener('input', read)
    const bounds = [page.leastAgorot, page.mostAgorot]
    const hint =
      bounds[0] && bounds[1]
        ? t('between', { least: formatMoney(bounds[0]), most: formatMoney(bounds[1]) })
        : bounds[0]
          ? t('atLeast', { least: formatMoney(bounds[0]) })
          : ''
    const own = field(
      'sumAgorot',
      t(page.sumKind === 'suggested' ? 'otherSum' : 'sum'),
      typed,
      page.sumKind === 'free',
      hint,
    )
    if (page.sumKind === 'free') return [own]
    const group = h('div', { class: 'pp-sums', role: 'radiogroup', 'aria-label': t('chooseSum') })
    for (const [i, agorot] of page.suggested.entries()) {
      const input = h('input', { type: 'radio', name: `${id}-sum`, id: `${id}-sum-${i}` })
      input.checked = i === 0
      input.addEventListener('change', () => {
        typed.value = ''
        freeSum = agorot
        errors.get('sumAgorot')!.say('')
        sumUp()
      })
      group.append(h('div', {}, input, h('label', { for: `${id}-sum-${i}` }, money(agorot))))
    }
    typed.addEventListener('input', () => {
      for (const input of group.querySelectorAll('input')) input.checked = typed.value === '' && false
    })
    return [group, own]
  }

  // Who pays
  const text = (type: string, autocomplete: string, ltr = false): HTMLInputElement =>
    h('input', { type, autocomplete, ...(ltr ? { dir: 'ltr' } : { dir: 'auto' }), maxlength: '254' })
  const nameInput = text('text', 'name')
  const emailInput = text('email', 'email', true)
  const phoneInput = text('tel', 'tel', true)
  const taxInput = text('text', 'off', true)
  taxInput.inputMode = 'numeric'
  const people = h('div', { class: 'pp-fields' }, field('payer.name', t('name'), nameInput, true))
  if (page.asksPhone !== 'no')
    people.append(field('payer.phone', t('phone'), phoneInput, page.asksPhone === 'must'))
  if (page.asksEmail !== 'no')
    people.append(field('payer.email', t('email'), emailInput, page.asksEmail === 'must', t('emailHint')))
  if (page.asksTaxId !== 'no')
    people.append(field('payer.taxId', t('taxId'), taxInput, page.asksTaxId === 'must'))
  const sending = new Map<string, Promise<void>>()
  const readers: [key: string, read: () => string | boolean][] = []
  for (const one of page.fields) people.append(ownField(one))

  function ownField(one: ShownPage['fields'][number]): HTMLElement {
    const name = `answers.${one.key}`
    if (one.kind === 'tick') {
      const { box, input } = tick(name, one.label)
      readers.push([one.key, () => input.checked])
      return box
    }
    if (one.kind === 'file') return fileField(name, one)
    if (one.kind === 'choice') {
      const select = h(
        'select',
        {},
        h('option', { value: '' }, t('choose')),
        ...one.choices.map((choice, i) => h('option', { value: String(i) }, choice)),
      )
      readers.push([one.key, () => select.value])
      return field(name, one.label, select, one.must)
    }
    const control =
      one.kind === 'long'
        ? h('textarea', { rows: '3', maxlength: '4000', dir: 'auto' })
        : h('input', {
            type: one.kind === 'day' ? 'date' : 'text',
            ...(one.kind === 'number' ? { inputmode: 'decimal', dir: 'ltr' } : { dir: 'auto' }),
            maxlength: '300',
          })
    readers.push([one.key, () => control.value])
    return field(name, one.label, control, one.must)
  }

  /** A file is sent as it is chosen, so that the person who pays does not wait for it then. */
  function fileField(name: string, one: ShownPage['fields'][number]): HTMLElement {
    const input = h('input', { type: 'file', accept: 'application/pdf,image/png,image/jpeg' })
    const box = field(name, one.label, input, one.must, t('fileHint'))
    const press = h('span', { 'aria-hidden': 'true' }, t('chooseFile'))
    const told = h('span', { class: 'pp-sub', role: 'status', dir: 'auto' })
    const drop = h(
      'button',
      { type: 'button', class: 'pp-plain', hidden: true, click: () => clear() },
      t('dropFile'),
    )
    const place = h('div', { class: 'pp-file' })
    input.replaceWith(place)
    place.append(h('label', { class: 'pp-soft' }, input, press), told, drop)
    let sent = ''
    const clear = (focus = true) => {
      input.value = ''
      sent = ''
      told.textContent = ''
      drop.hidden = true
      press.textContent = t('chooseFile')
      if (focus) input.focus()
    }
    const wrong = (code: string) => {
      clear(false)
      const said = t(`${errorBase}${code}`)
      errors.get(name)!.say(said.startsWith(errorBase) ? t('failed') : said)
    }
    async function send(file: File): Promise<void> {
      const answer = await doors!.attach(one.key, file)
      // Meanwhile another one was chosen.
      if (input.files?.[0] !== file) return
      if (!('id' in answer)) return wrong(answer.code)
      sent = answer.id
      told.replaceChildren(withSums(t('fileTaken'), {}, { name: answer.name }))
      drop.hidden = false
      press.textContent = t('otherFile')
    }
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      if (!file || !doors) return clear()
      if (file.size > mostFileBytes || file.size === 0) return wrong('payPages.badFile')
      sent = ''
      drop.hidden = true
      told.textContent = t('fileSending')
      sending.set(name, send(file))
    })
    readers.push([one.key, () => sent])
    return box
  }

  // A coupon
  const couponInput = h('input', {
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'characters',
    dir: 'ltr',
    maxlength: '60',
    spellcheck: 'false',
  })
  const couponButton = h('button', { type: 'button', class: 'pp-soft' }, t('apply'))
  async function applyCoupon(code: string): Promise<void> {
    errors.get('coupon')!.say('')
    if (!doors || !code.trim()) {
      coupon = undefined
      return sumUp()
    }
    const answer = await doors.price({ lines: basket(), coupon: code })
    coupon = 'totalAgorot' in answer ? answer : undefined
    if (!('totalAgorot' in answer)) refuse(answer)
    sumUp()
  }
  const couponPart = h('details', { class: 'pp-coupon' }, h('summary', {}, t('haveCoupon')))
  if (page.takesCoupons) {
    const inner = field('coupon', t('coupon'), couponInput, true)
    couponInput.removeAttribute('aria-required')
    couponInput.after(couponButton)
    couponPart.append(inner)
    couponButton.addEventListener('click', () => void applyCoupon(couponInput.value))
    couponInput.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      void applyCoupon(couponInput.value)
    })
  }

  // What is agreed to
  let agree: HTMLInputElement | undefined
  const needsAgree = page.mustAgree || page.kind === 'subscription'
  const terms = page.terms
    ? h(
        'details',
        { class: 'pp-terms' },
        h('summary', {}, t('showTerms')),
        h('p', { dir: 'auto' }, page.terms),
      )
    : undefined
  const agreeing = needsAgree
    ? tick('agrees', page.terms ? t('agree') : t('agreeSubscription'), terms)
    : undefined
  agree = agreeing?.input

  const trouble = h('p', { class: 'pp-trouble', role: 'alert', tabindex: '-1' })
  function refuse({ code, params, errors: at = [] }: Refusal): void {
    let first: HTMLElement | undefined
    for (const one of at) {
      const name = [...errors.keys()].find((known) => one.path === known || one.path.startsWith(`${known}.`))
      const said = t(`${errorBase}${one.code}`, one.params)
      if (!name) continue
      errors.get(name)!.say(said in words ? said : said.startsWith(errorBase) ? t('wrong') : said)
      first ??= errors.get(name)!.at
      if (name === 'coupon') couponPart.open = true
    }
    const whole = t(`${errorBase}${code}`, params)
    trouble.textContent = first ? '' : whole.startsWith(errorBase) ? t('failed') : whole
    ;(first ?? trouble).focus()
  }

  const form = h(
    'form',
    {
      class: 'pp-form',
      novalidate: true,
      submit: (event) => {
        event.preventDefault()
        void submit(button)
      },
    },
    h('section', { class: 'pp-card' }, choosing, chooseWrong, summary, page.takesCoupons ? couponPart : null),
    h('section', { class: 'pp-card' }, people, agreeing?.box ?? null),
    trouble,
    button,
    beside,
    h('p', { class: 'pp-sub pp-safe' }, page.kind === 'hold' ? `${t('holdNote')} ` : '', t('safe')),
  )

  async function submit(pressed: HTMLElement, wallet?: Wallet): Promise<void> {
    if (!doors || isBusy) return
    isBusy = true
    pressed.setAttribute('aria-busy', 'true')
    trouble.textContent = ''
    await Promise.all(sending.values())
    await paid(wallet)
    isBusy = false
    pressed.removeAttribute('aria-busy')
  }

  async function paid(wallet: Wallet | undefined): Promise<void> {
    const missing: NonNullable<Refusal['errors']> = []
    const need = (isMust: boolean, name: string, value: string) =>
      isMust && !value.trim() && void missing.push({ path: name, code: 'fields.need' })
    need(true, 'payer.name', nameInput.value)
    need(page.asksPhone === 'must', 'payer.phone', phoneInput.value)
    need(page.asksEmail === 'must', 'payer.email', emailInput.value)
    need(page.asksTaxId === 'must', 'payer.taxId', taxInput.value)
    if (page.sumKind === 'items' && basket().length === 0)
      missing.push({ path: 'lines', code: 'fields.need' })
    if (page.sumKind !== 'items' && !freeSum) missing.push({ path: 'sumAgorot', code: 'fields.need' })
    for (const [key, read] of readers) {
      const must = page.fields.find((one) => one.key === key)!.must
      const value = read()
      if (must && !value) missing.push({ path: `answers.${key}`, code: 'fields.need' })
    }
    if (agree && !agree.checked) missing.push({ path: 'agrees', code: 'payPages.agreeFirst' })
    if (missing.length) return refuse({ code: 'kit.badInput', errors: missing })
    const refusal = await doors!.pay({
      lines: basket(),
      ...(page.sumKind === 'items' ? {} : { sumAgorot: freeSum! }),
      coupon: coupon?.code ?? '',
      payer: {
        name: nameInput.value,
        email: emailInput.value,
        phone: phoneInput.value,
        taxId: taxInput.value,
      },
      answers: Object.fromEntries(readers.map(([key, read]) => [key, read()])),
      agrees: agree?.checked ?? false,
      seenAgorot: now(),
      ...(wallet ? { wallet } : {}),
    })
    if (refusal) refuse(refusal)
  }

  main.append(status)
  const isPayable = page.state === 'open' && page.online
  if (isPayable) {
    if (page.test) status.append(h('p', { class: 'pp-note' }, t('test')))
    main.append(form)
    sumUp()
  } else
    status.append(
      h(
        'p',
        { class: 'pp-note' },
        t(page.state === 'open' ? 'noCards' : page.state === 'draft' ? 'notOpen' : page.state),
      ),
    )

  const contact = [
    business.phone
      ? h(
          'a',
          { href: `tel:${business.phone.replace(/[^\d+*]/g, '')}` },
          h('bdi', { class: 'num' }, business.phone),
        )
      : null,
    business.email ? h('a', { href: `mailto:${business.email}` }, h('bdi', {}, business.email)) : null,
  ]
  foot.append(h('address', {}, ...contact))
  if (page.languages.length > 1)
    foot.append(
      h(
        'nav',
        { 'aria-label': t('languages') },
        ...page.languages
          .filter((language) => language !== page.language)
          .map((language) =>
            h(
              'a',
              { href: doors?.languageHref(language) ?? '#', lang: language, hreflang: language },
              languageNames[language],
            ),
          ),
      ),
    )

  function show(outcome: Outcome): void {
    const isDone =
      outcome.state === 'paid' ||
      outcome.state === 'held' ||
      outcome.state === 'subscribed' ||
      outcome.state === 'surplus'
    const isHidden =
      isDone || outcome.state === 'checking' || outcome.state === 'elsewhere' || outcome.state === 'inDoubt'
    form.hidden = isHidden
    const parts: Child[] = []
    if (isDone) {
      parts.push(h('h2', { tabindex: '-1' }, t(outcome.state)))
      if (outcome.state !== 'surplus') {
        if (outcome.sumAgorot && outcome.state !== 'subscribed')
          parts.push(h('p', { class: 'pp-sum' }, money(outcome.sumAgorot)))
        if (page.thanks) parts.push(h('p', { class: 'pp-text', dir: 'auto' }, page.thanks))
        if (outcome.paper)
          parts.push(
            h(
              'a',
              { class: 'pp-pay', href: `/api2/invoice/page/${outcome.paper.key}/pdf` },
              t('download', { document: outcome.paper.name }),
            ),
          )
        else if (outcome.state === 'paid') parts.push(h('p', { class: 'pp-sub' }, t('paperLater')))
        if (outcome.orderUrl) parts.push(h('a', { class: 'pp-pay', href: outcome.orderUrl }, t('toOrder')))
      }
    } else if (outcome.state === 'declined')
      parts.push(
        h(
          'p',
          { class: 'pp-trouble', role: 'alert' },
          t(outcome.code === 'noFunds' ? 'noFunds' : 'declined'),
        ),
      )
    else if (outcome.state !== 'open') parts.push(h('p', { class: 'pp-note' }, t(outcome.state)))
    const box = h('div', { class: isDone ? 'pp-card pp-done' : '' }, ...parts)
    status.replaceChildren(
      ...(parts.length ? [box] : page.test && isPayable ? [h('p', { class: 'pp-note' }, t('test'))] : []),
    )
    if (isDone) box.querySelector('h2')?.focus()
  }
  return { show, focus: () => main.focus() }
}
