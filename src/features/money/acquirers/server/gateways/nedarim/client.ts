import { dayInJerusalem } from '#domain/day.ts'
import {
  AcquirerAway,
  KeysRefused,
  type Acquirer,
  type Answer,
  type Deal,
  type SavedCard,
} from '../../door.ts'
import { classOfCode, oldList } from '../../declines.ts'
import { name, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import { agorotOf, expiryOf, inShekels, lastFour, monthOf, rowsOf, text, yearOf } from '../speak.ts'
import type { App } from '#kit/server/context.ts'
import { newToken } from '#kit/server/rights/vault.ts'

/*
 * Nedarim Plus, for donations: a frame of theirs on a page of ours, told by messages of the browser what to
 * do. What became of it is looked for in the list of the institution by our own reference. A kept card is
 * charged as a standing order of one month that begins today. Equal orders within minutes are dropped without
 * a word, so each carries our reference in its comment.
 */

const told = (body: Body) => ({
  code: text(body, 'Status') || text(body, 'Result'),
  words: text(body, 'Message') || text(body, 'ErrorText'),
})

/** It gives so many deals at once, those after one that is named. */
const pageSize = 2000
const mostPages = 500
/**
 * Where the last page but one of an institution's deals begins, by its address and number: what comes before is
 * read once. It belongs to one application, so that two in one process do not share a position.
 */
const positions = new WeakMap<App, Map<string, string>>()
function positionsOf(app: App): Map<string, string> {
  const known = positions.get(app) ?? new Map<string, string>()
  positions.set(app, known)
  return known
}

/** A reference is a unique key, then ours. */
const keyOf = (reference: string): string => reference.slice(reference.indexOf('.') + 1)

function connect({ settings, wire, app }: Plug): Acquirer {
  const { mosad = '', apiValid = '', apiPassword = '' } = settings
  const lately = positionsOf(app)
  const place = `${wire.home} ${mosad}`
  const get = (call: string, path: string, query: Record<string, string>): Promise<Body> =>
    wire.ask(call, path, { method: 'GET', query }, told)
  const dealOf = (row: Body): Deal => ({
    uid: text(row, 'TransactionId') || text(row, 'Shovar'),
    agorot: agorotOf(text(row, 'Amount')),
    currency: currencies[text(row, 'Currency')] ?? text(row, 'Currency'),
    key: text(row, 'Param1') || undefined,
    isOurs: text(row, 'MosadNumber') === '' || text(row, 'MosadNumber') === mosad,
    approval: text(row, 'Confirmation'),
    brand: '',
    last4: lastFour(text(row, 'LastNum')),
    instalments: Number(text(row, 'Tashloumim')) || 1,
  })
  const cardOf = (row: Body): SavedCard | undefined => {
    const until = text(row, 'Tokef').replace('/', '')
    const [token, expiry] = [text(row, 'Token'), expiryOf(until.slice(0, 2), until.slice(2))]
    return token && expiry ? { token, expiry, brand: '', last4: lastFour(text(row, 'LastNum')) } : undefined
  }
  const pageAfter = async (id: string): Promise<Body[]> => {
    const body = await get('history', 'Files/Manage/Reports/Manage3.aspx', {
      Action: 'GetHistoryJson',
      MosadId: mosad,
      ApiPassword: apiPassword,
      LastId: id,
      MaxId: String(pageSize),
    })
    if (text(body, 'Result') === 'Error') throw new KeysRefused('password', text(body, 'Message'))
    return rowsOf(body, 'rows')
  }
  /**
   * The institution's last deals, those that were refused among them: two thousand at least, and all of them
   * the first time.
   */
  const list = async (): Promise<Body[]> => {
    const rows: Body[] = []
    const begins = [lately.get(place) ?? '0']
    for (;;) {
      const page = await pageAfter(begins.at(-1)!)
      rows.push(...page)
      const last = page.reduce((most, row) => Math.max(most, Number(text(row, 'TransactionId')) || 0), 0)
      if (page.length < pageSize || last <= Number(begins.at(-1)) || begins.length === mostPages) break
      begins.push(String(last))
    }
    if (begins.length > 2) lately.set(place, begins.at(-2)!)
    return rows
  }
  const answerOf = (row: Body): Answer => {
    const status = text(row, 'Status')
    if (status === 'Error')
      return {
        is: 'declined',
        code: text(row, 'ErrorCode') || 'refused',
        class: classOfCode(text(row, 'ErrorCode'), oldList),
      }
    const card = cardOf(row)
    if (text(row, 'TransactionType') === 'CreateToken')
      return card ? { is: 'saved', card, key: dealOf(row).key, isOurs: dealOf(row).isOurs } : { is: 'open' }
    return { is: 'paid', ...dealOf(row), card }
  }
  const find = async (key: string): Promise<Body | undefined> => {
    const rows = (await list()).filter((row) => text(row, 'Param1') === key)
    return rows.find((row) => text(row, 'Status') !== 'Error') ?? rows.at(-1)
  }

  return {
    page: {
      // The frame is on a page of ours; its message comes from `frame`.
      open: async (order) => {
        await list()
        const reference = `${newToken().slice(0, 24)}.${order.key.text}`
        return { reference, url: `${app.publicUrl()}/cardframe/${reference}` }
      },
      ask: async (reference) => {
        const row = await find(keyOf(reference))
        return row ? answerOf(row) : { is: 'open' }
      },
    },
    frame: (reference, order) => ({
      src: `${app.settings.acquirersAt ? `${app.settings.acquirersAt}/nedarim` : 'https://matara.pro/nedarimplus'}/iframe/`,
      post: {
        Mosad: mosad,
        ApiValid: apiValid,
        PaymentType: order.deed === 'card' ? 'CreateToken' : 'Ragil',
        Amount: order.deed === 'card' ? '1' : inShekels(order.agorot),
        Tashlumim: '1',
        Currency: '1',
        FirstName: order.payer.name ?? '',
        LastName: '',
        Mail: order.payer.email ?? '',
        Phone: order.payer.phone ?? '',
        Zeout: '',
        Groupe: '',
        Comment: `${order.description.slice(0, 100)} ${keyOf(reference)}`,
        Param1: keyOf(reference),
        Param2: order.keepsCard ? 'keep' : '',
        CallBack: order.noticeTo,
      },
    }),
    cards: {
      charge: async (card, order) => {
        const today = dayInJerusalem(app.now())
        const body = await get('charge', 'V6/Files/WebServices/DebitKeva.aspx', {
          MosadId: mosad,
          ApiValid: apiValid,
          CardNumber: card.token,
          Tokef: `${monthOf(card.expiry)}${yearOf(card.expiry)}`,
          Amount: inShekels(order.agorot),
          Tashloumim: '1',
          Day: today.slice(8, 10),
          StartFrom: today,
          Currency: '1',
          MasofId: 'Online',
          Avour: `${order.description.slice(0, 60)} ${order.key.text}`,
          Comments: order.key.text,
          CallBack: order.noticeTo,
          Param1: order.key.text,
          ClientName: order.payer.name ?? '',
        })
        if (text(body, 'Status') !== 'OK')
          return {
            is: 'declined',
            code: text(body, 'ErrorCode') || 'refused',
            class: classOfCode(text(body, 'ErrorCode'), oldList),
          }
        const [deal, keva] = [text(body, 'TransactionId'), text(body, 'KevaId')]
        // So it says of an order that it dropped as one it had already: what became of that one is asked for.
        if (!deal && !keva) throw new AcquirerAway('no order was made')
        return {
          is: 'paid',
          uid: deal || `K${keva}`,
          agorot: order.agorot,
          currency: 'ILS',
          key: undefined,
          approval: text(body, 'Confirmation'),
          brand: '',
          last4: lastFour(text(body, 'LastNum')) || card.last4,
          instalments: 1,
        }
      },
    },
    byReference: async ({ key }) => {
      const row = await find(key.text)
      return row ? answerOf(row) : { is: 'none' }
    },
    readNotice: ({ brought }) => ({ key: brought.says('Param1') }),
  }
}

/** As its list writes them; absent where only shekels are taken. */
const currencies: Readonly<Record<string, string>> = {
  '': 'ILS',
  '1': 'ILS',
  '₪': 'ILS',
  '2': 'USD',
  $: 'USD',
}

const reads: Reads = {
  // The outcome of a form is looked up in the list of the institution by our reference.
  returned: 'nothing',
  notice: { Param1: { like: name } },
}

export const nedarim: Gateway = {
  name: 'nedarim',
  instalments: false,
  currencies: ['ILS'],
  also: ['bit'],
  settings: [
    { name: 'mosad', kind: 'text', like: /^\d{5,9}$/ },
    { name: 'apiValid', kind: 'secret', inBrowser: true },
    { name: 'apiPassword', kind: 'secret' },
  ],
  home: () => 'https://matara.pro/nedarimplus',
  reads,
  connect,
}
