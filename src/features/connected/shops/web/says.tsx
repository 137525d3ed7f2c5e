import { documentTypeById } from '#domain/documents/kinds.ts'
import { withCurrency } from '#domain/format.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useLanguage, useWords, wordIfAny, type Words } from '#kit/web/words/words.tsx'
import { keyOf, queryClient } from '#kit/web/calls/call.ts'
import {
  getOrder,
  listDays,
  listOrders,
  listShops,
  type Order,
  type OrderWhole,
  type Shop,
} from '../endpoints.ts'

export const refresh = () =>
  Promise.all(
    [listShops, listOrders, getOrder, listDays].map((one) =>
      queryClient.invalidateQueries({ queryKey: keyOf(one) }),
    ),
  )

export const pageOf = ({ id }: Pick<Shop, 'id'>) => `/invoice/shops/${id}`

const shopTones: Record<Shop['state'], StatusTone> = { on: 'done', off: 'plain', gone: 'wait' }

export function ShopState({ of: { state, counts } }: { of: Pick<Shop, 'state' | 'counts'> }) {
  const t = useWords()
  if (state === 'on' && counts.trouble > 0)
    return <StatusPill tone="wait">{t('shops.state.trouble', { count: counts.trouble })}</StatusPill>
  return <StatusPill tone={shopTones[state]}>{t(`shops.state.${state}`)}</StatusPill>
}

const orderTones: Record<Order['state'], StatusTone> = {
  new: 'info',
  mapped: 'info',
  issued: 'done',
  ignored: 'plain',
  trouble: 'wait',
}

export function OrderState({
  of: { state, hasRefundTrouble },
}: {
  of: Pick<Order, 'state' | 'hasRefundTrouble'>
}) {
  const t = useWords()
  const shown = hasRefundTrouble ? 'trouble' : state
  return <StatusPill tone={orderTones[shown]}>{t(`shops.order.${shown}`)}</StatusPill>
}

interface Trouble {
  trouble: Order['trouble']
  troubleParams: Order['troubleParams']
  differenceAgorot?: number | null
  currency: string
}

/** What is wrong, in a sentence with its figures. */
export function useTroubleText(): (of: Trouble) => string {
  const t = useWords()
  const { lang } = useLanguage()
  return ({ trouble, troubleParams: params, differenceAgorot, currency }) => {
    if (!trouble) return ''
    const money = (agorot: unknown) => withCurrency(Number(agorot ?? 0), currency, lang)
    const refused = trouble === 'refused' || trouble === 'refundRefused'
    return t(`shops.trouble.${trouble}`, {
      ...params,
      ...(trouble === 'tax' ? { shop: money(params.shop), ours: money(params.ours) } : {}),
      ...(trouble === 'refundAbove' ? { left: money(params.left) } : {}),
      difference: money(differenceAgorot),
      why: refused ? refusalText(t, String(params.code ?? '')) : '',
      currency,
    })
  }
}

/** Brings the words of: errors */
const refusalText = (t: Words, code: string): string => wordIfAny(t, `errors.${code}`, {}) ?? code

export const paperText = (t: Words, of: OrderWhole['document']): string =>
  of ? `${t(`documents.types.${documentTypeById(of.type) ?? 'taxInvoice'}`)} ${of.number ?? ''}` : ''
