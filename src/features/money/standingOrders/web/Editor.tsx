import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { typeFacts } from '#domain/documents/facts.ts'
import { chargesVat, documentTypes, type BusinessKind } from '#domain/documents/kinds.ts'
import { addDays, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { shifts } from '#domain/bankDays.ts'
import { links } from '#domain/standingOrders/price.ts'
import { units } from '#domain/standingOrders/schedule.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField, PercentField, WholeField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { CurrencyField, LanguageField } from '#kit/web/fields/SmallChoices.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { callsOf, resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { brandWord } from '#features/base/companies/means.ts'
import { Mandates } from '#features/money/masav/web/index.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { typeWord } from '#features/sales/documents/web/index.tsx'
import {
  cardsForOrder,
  changeOrder,
  createOrder,
  getOrder,
  listCampaigns,
  previewOrder,
  type OrderAnswer,
  type OrderGiven,
} from '../endpoints.ts'
import { means, standingOrders, typesFor, type Means } from '../standingOrders.ts'
import { givenLines, LinesField, newLine, type EditedLine } from './LinesField.tsx'
import './orders.css'
import { comingNotes, refreshOrders } from './words.tsx'

type Form = Omit<OrderGiven, 'lines'>
interface Named {
  id: string
  name: string
}

const fresh = (today: Day, type: number): Form => ({
  title: '',
  customerId: '',
  means: 'bill',
  cardId: null,
  documentType: type,
  language: null,
  agentId: null,
  projectId: null,
  send: 'mail',
  sendTo: '',
  notes: '',
  notesInternal: '',
  mayPause: false,
  mayCancel: true,
  yearlyReceipt: false,
  campaignId: null,
  startDay: today,
  everyN: 1,
  unit: 'month',
  billingDay: 0,
  shift: 'none',
  chargeToday: true,
  prorate: false,
  arrears: false,
  trialDays: 0,
  untilDay: null,
  times: null,
  currency: 'ILS',
  firstPriceAgorot: null,
  discountBp: 0,
  discountTurns: 0,
  linked: 'none',
  linkFalls: false,
  baseValue: null,
  baseOf: null,
})

const formOf = (order: OrderAnswer): Form => {
  const names = Object.keys(fresh('', 8)) as (keyof Form)[]
  const known = order as unknown as Record<string, unknown>
  return {
    ...fresh('', 8),
    ...Object.fromEntries(names.filter((name) => name in order).map((name) => [name, known[name]])),
    partyKind: order.partyKind,
  } as Form
}

/**
 * What an order that begins in place of another is like: its prices and rhythm, from the day after it, with
 * no end and without what a first customer got.
 */
const anew = (order: OrderAnswer, today: Day): Form => {
  const last = order.endedOn ?? order.untilDay
  return {
    ...formOf(order),
    startDay: last && last >= today ? addDays(last, 1) : today,
    untilDay: null,
    times: null,
    trialDays: 0,
    firstPriceAgorot: null,
    discountBp: 0,
    discountTurns: 0,
    baseValue: null,
    baseOf: null,
  }
}

/**
 * Sets a standing order up, or changes one: the plainest kind on top, everything else behind one word, and
 * beside it the next twelve charges as they will be.
 */
export function Screen() {
  const { params, query } = usePlace()
  const id = params.id
  const company = useCall(getCompany, {}, { staleTime: 60_000 })
  const order = useCall(getOrder, { id: id ?? '' }, { enabled: id !== undefined, staleTime: 0 })
  // One that begins in place of another.
  const from = id === undefined ? query.from : undefined
  const pattern = useCall(getOrder, { id: from ?? '' }, { enabled: from !== undefined, staleTime: 0 })
  const asked = query.customer ?? ''
  const customer = useCall(callsOf(customers).get, { id: asked } as never, {
    enabled: asked !== '' && id === undefined,
  })
  const trouble = order.error ?? company.error ?? pattern.error
  if (trouble && !(order.data ?? pattern.data ?? (id === undefined && from === undefined)))
    return <Failed error={trouble} />
  if (
    !company.data ||
    (id !== undefined && !order.data) ||
    (from !== undefined && !pattern.data) ||
    (asked && id === undefined && !customer.data && !customer.error)
  )
    return <Skeleton lines={10} />
  const kind = company.data.kind
  const named = customer.data as unknown as Named | undefined
  return (
    <Form key={id ?? from ?? 'new'} kind={kind} before={order.data} pattern={pattern.data} customer={named} />
  )
}

function Form({
  kind,
  before,
  pattern,
  customer,
}: {
  kind: BusinessKind
  before: OrderAnswer | undefined
  /** What a new one is like. */
  pattern: OrderAnswer | undefined
  customer: Named | undefined
}) {
  const t = useWords()
  const may = useCan()
  const today = useToday()
  const usualType = (way: Means): number => {
    const [usual] = typesFor(way, kind)
    return usual ?? documentTypes.paymentRequest.id
  }
  const [form, setForm] = useState<Form>(() =>
    before
      ? formOf(before)
      : pattern
        ? anew(pattern, today)
        : { ...fresh(today, usualType('bill')), customerId: customer?.id ?? '' },
  )
  const like = before ?? pattern
  const [who, setWho] = useState<Named | null>(
    like ? { id: like.customerId, name: like.customer } : (customer ?? null),
  )
  const [lines, setLines] = useState<EditedLine[]>(() =>
    like ? like.lines.map((line) => newLine(line)) : [newLine({ vatKind: chargesVat(kind) ? 1 : 4 })],
  )
  const [consent, setConsent] = useState(false)
  const [refs, setRefs] = useState<{ agent: Named | null; project: Named | null }>({
    agent: null,
    project: null,
  })
  const put = (change: Partial<Form>) => setForm((now) => ({ ...now, ...change }))
  const charged = (before?.periods.length ?? 0) > 0
  const ways = useCall(
    cardsForOrder,
    { customerId: form.customerId },
    {
      enabled: form.customerId !== '',
      // A mandate may be signed while the order is written.
      refetchInterval: ({ state }) => (form.means === 'masav' && state.data?.mandate === null ? 5000 : false),
    },
  )
  const campaigns = useCall(listCampaigns, {}, { staleTime: 60_000 })
  const title =
    form.title ||
    (lines[0]?.description
      .replace(/\{[^}]*\}/g, '')
      .replace(/[\s,–-]+$/, '')
      .trim() ??
      '')
  const whole = { ...form, title, partyKind: form.partyKind, lines: givenLines(lines) }
  const ready =
    form.customerId !== '' &&
    lines.every(({ description, unitPrice }) => description.trim() && unitPrice !== null)
  const asked = useLater(JSON.stringify(whole))
  const preview = useCall(previewOrder, JSON.parse(asked) as never, {
    enabled: ready && !before,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const names = [
    ...Object.keys(form),
    'partyKind',
    'lines',
    ...lines.flatMap((_, i) => ['description', 'quantity', 'unitPrice'].map((name) => `lines.${i}.${name}`)),
  ]
  const { busy, rest, error, run, place } = useAction(names, async () => {
    const { lines: given, ...plain } = whole
    const kept = before
      ? await call(changeOrder, { ...plain, id: before.id, consent })
      : await call(createOrder, { ...plain, lines: given })
    await refreshOrders()
    go(`/invoice/retainers/${kept.id}`)
  })
  const bind = <K extends keyof Form>(name: K) => ({
    label: t(`standingOrders.fields.${name}`),
    value: form[name],
    onChange: (value: Form[K]) => put({ [name]: value } as Partial<Form>),
    ...error(name, form[name]),
  })
  const monthly = form.unit === 'month' || form.unit === 'year'
  const types = [
    ...typesFor(form.means, kind),
    ...(form.means === 'masav' && kind === 'nonProfit' ? [documentTypes.donationReceipt.id] : []),
  ]
  const coming = before ? before.coming : (preview.data?.coming ?? [])
  const notices = before ? before.notices : (preview.data?.notices ?? [])
  const fixed = charged ? { disabled: true } : {}
  return (
    <form ref={place} onSubmit={run} noValidate className="so-stack">
      <PageHeader
        crumbs={[
          { label: t('screens.retainers'), href: standingOrders.screens.list },
          ...(before ? [{ label: before.title, href: `/invoice/retainers/${before.id}` }] : []),
        ]}
        title={t(before ? 'standingOrders.edit' : 'standingOrders.new')}
        actions={
          <Button kind="primary" type="submit" busy={busy}>
            {t('kit.forms.save')}
          </Button>
        }
      />
      {rest && <Note tone="late">{rest}</Note>}
      {charged && <Note>{t('standingOrders.fixedHint')}</Note>}
      <div className="so-two">
        <div className="so-stack">
          <Card title={t('standingOrders.section.who')}>
            <div className="so-fields">
              <RefField
                label={t('standingOrders.fields.customerId')}
                name="customerId"
                value={who ? { key: who.id, label: who.name } : null}
                onChange={(option) => {
                  setWho(option ? { id: option.key, name: option.label } : null)
                  put({ customerId: option?.key ?? '', cardId: null })
                }}
                search={searchIn(customers)}
                {...fixed}
                {...error('customerId', form.customerId)}
              />
              <TextField
                {...bind('title')}
                hint={t('standingOrders.titleHint')}
                placeholder={title}
                max={200}
              />
            </div>
          </Card>
          {!before && (
            <Card title={t('standingOrders.section.what')}>
              <LinesField lines={lines} currency={form.currency} onChange={setLines} error={error} />
            </Card>
          )}
          <Card title={t('standingOrders.section.when')}>
            <div className="so-fields">
              <WholeField {...bind('everyN')} onChange={(n) => put({ everyN: n ?? 1 })} {...fixed} />
              <ChoiceField
                {...bind('unit')}
                as="list"
                onChange={(unit) => unit && put({ unit })}
                choices={units.map((value) => ({ value, label: t(`standingOrders.unit.${value}`) }))}
                {...fixed}
              />
              <DayField {...bind('startDay')} onChange={(day) => put({ startDay: day ?? '' })} {...fixed} />
              {monthly && (
                <ChoiceField
                  {...bind('billingDay')}
                  as="list"
                  value={String(form.billingDay)}
                  onChange={(day) => put({ billingDay: Number(day) })}
                  choices={[0, ...Array.from({ length: 28 }, (_, i) => i + 1), 31].map((day) => ({
                    value: String(day),
                    label:
                      day === 0
                        ? t('standingOrders.billing.start')
                        : day === 31
                          ? t('standingOrders.billing.last')
                          : String(day),
                  }))}
                  {...fixed}
                />
              )}
              <DayField {...bind('untilDay')} value={form.untilDay ?? null} optional />
              <WholeField {...bind('times')} value={form.times ?? null} optional />
            </div>
            {before?.partyKind === 'consumer' && charged && (
              <FlagField label={t('standingOrders.consent')} value={consent} onChange={setConsent} />
            )}
          </Card>
          <Card title={t('standingOrders.section.how')}>
            <div className="so-fields">
              <ChoiceField
                {...bind('means')}
                onChange={(way) =>
                  way &&
                  put({
                    means: way,
                    documentType: usualType(way),
                    cardId:
                      way === 'card'
                        ? (ways.data?.cards.find(({ isDefault }) => isDefault)?.id ?? null)
                        : null,
                  })
                }
                choices={means.map((value) => ({ value, label: t(`standingOrders.means.${value}`) }))}
              />
              {form.means === 'card' && (
                <ChoiceField
                  {...bind('cardId')}
                  as="list"
                  value={form.cardId ?? ''}
                  onChange={(card) => put({ cardId: card || null })}
                  hint={t('standingOrders.cardHint')}
                  choices={[
                    { value: '', label: t('standingOrders.cardLater') },
                    ...(ways.data?.cards ?? []).map((card) => ({
                      value: card.id,
                      label: `${brandWord(card.brand, t)} ${card.last4} · ${formatDay(card.expires)}`,
                    })),
                  ]}
                />
              )}
              {form.means === 'masav' && form.customerId && ways.data && (
                <Note {...(ways.data.mandate ? {} : { tone: 'wait' as const })}>
                  {ways.data.mandate
                    ? `${t('standingOrders.mandate')} ${ways.data.mandate}`
                    : t('errors.standingOrders.noMandate')}
                </Note>
              )}
              {form.means === 'masav' && form.customerId && who && may('masav.make') && (
                <Mandates bare customerId={form.customerId} name={who.name} />
              )}
              <ChoiceField
                {...bind('documentType')}
                as="list"
                value={String(form.documentType)}
                onChange={(type) => put({ documentType: Number(type) })}
                choices={types.map((type) => ({ value: String(type), label: typeWord(t, type) }))}
              />
              <ChoiceField
                {...bind('send')}
                onChange={(send) => send && put({ send })}
                choices={(['mail', 'sms', 'none'] as const).map((value) => ({
                  value,
                  label: t(`standingOrders.send.${value}`),
                }))}
              />
              {form.send !== 'none' && (
                <TextField {...bind('sendTo')} ltr optional hint={t('standingOrders.sendToHint')} max={254} />
              )}
            </div>
          </Card>
          <details className="k-card so-more" open={before !== undefined}>
            <summary className="k-card-body">{t('standingOrders.section.more')}</summary>
            <div className="k-card-body so-form">
              <div className="so-fields">
                <WholeField {...bind('trialDays')} onChange={(n) => put({ trialDays: n ?? 0 })} {...fixed} />
                <MoneyField
                  {...bind('firstPriceAgorot')}
                  value={form.firstPriceAgorot ?? null}
                  currency={form.currency}
                  optional
                  {...fixed}
                />
                <PercentField
                  {...bind('discountBp')}
                  value={form.discountBp || null}
                  optional
                  onChange={(bp) =>
                    put({ discountBp: bp ?? 0, discountTurns: bp ? form.discountTurns || 1 : 0 })
                  }
                  {...fixed}
                />
                {form.discountBp > 0 && (
                  <WholeField
                    {...bind('discountTurns')}
                    onChange={(n) => put({ discountTurns: n ?? 0 })}
                    {...fixed}
                  />
                )}
                <ChoiceField
                  {...bind('linked')}
                  as="list"
                  onChange={(linked) => linked && put({ linked })}
                  choices={links.map((value) => ({ value, label: t(`standingOrders.linked.${value}`) }))}
                  {...fixed}
                />
                {form.linked !== 'none' && !before && (
                  <TextField
                    {...bind('baseValue')}
                    value={form.baseValue ?? ''}
                    onChange={(value) => put({ baseValue: value || null })}
                    ltr
                    optional
                    inputMode="decimal"
                    hint={t('standingOrders.baseHint')}
                  />
                )}
                <ChoiceField
                  {...bind('shift')}
                  as="list"
                  onChange={(shift) => shift && put({ shift })}
                  choices={shifts.map((value) => ({ value, label: t(`standingOrders.shift.${value}`) }))}
                />
                <CurrencyField
                  {...bind('currency')}
                  onChange={(currency) => put({ currency: currency ?? 'ILS' })}
                  {...fixed}
                />
                <LanguageField {...bind('language')} value={form.language ?? null} optional />
                {may('agents.see') && resourceNamed('agents') && (
                  <RefField
                    label={t('standingOrders.fields.agentId')}
                    optional
                    value={refs.agent ? { key: refs.agent.id, label: refs.agent.name } : null}
                    onChange={(option) => {
                      setRefs({ ...refs, agent: option ? { id: option.key, name: option.label } : null })
                      put({ agentId: option?.key ?? null })
                    }}
                    search={searchIn(resourceNamed('agents')!)}
                    {...error('agentId', form.agentId)}
                  />
                )}
                {resourceNamed('projects') && (
                  <RefField
                    label={t('standingOrders.fields.projectId')}
                    optional
                    value={refs.project ? { key: refs.project.id, label: refs.project.name } : null}
                    onChange={(option) => {
                      setRefs({ ...refs, project: option ? { id: option.key, name: option.label } : null })
                      put({ projectId: option?.key ?? null })
                    }}
                    search={searchIn(resourceNamed('projects')!)}
                    {...error('projectId', form.projectId)}
                  />
                )}
                {form.means !== 'bill' && (campaigns.data?.rows.length ?? 0) > 0 && (
                  <ChoiceField
                    {...bind('campaignId')}
                    as="list"
                    value={form.campaignId ?? ''}
                    onChange={(id) => put({ campaignId: id || null })}
                    choices={[
                      { value: '', label: t('standingOrders.campaign.usual') },
                      ...campaigns.data!.rows.map(({ id, name }) => ({ value: id, label: name })),
                    ]}
                  />
                )}
                <ChoiceField
                  label={t('standingOrders.fields.partyKind')}
                  hint={t('standingOrders.partyHint')}
                  value={form.partyKind ?? (ways.data?.isDealer ? 'business' : 'consumer')}
                  onChange={(kindOf) => kindOf && put({ partyKind: kindOf })}
                  choices={(['consumer', 'business'] as const).map((value) => ({
                    value,
                    label: t(`standingOrders.party.${value}`),
                  }))}
                />
              </div>
              {monthly && form.billingDay !== 0 && (
                <FlagField {...bind('chargeToday')} hint={t('standingOrders.chargeTodayHint')} {...fixed} />
              )}
              <FlagField {...bind('prorate')} hint={t('standingOrders.prorateHint')} {...fixed} />
              <FlagField {...bind('arrears')} {...fixed} />
              {form.linked !== 'none' && <FlagField {...bind('linkFalls')} {...fixed} />}
              <FlagField {...bind('mayPause')} />
              <FlagField
                {...bind('mayCancel')}
                {...(form.partyKind === 'consumer' ? { hint: t('standingOrders.mayCancelHint') } : {})}
              />
              {typeFacts(form.documentType).isDonation && (
                <FlagField {...bind('yearlyReceipt')} hint={t('standingOrders.yearlyHint')} />
              )}
              <TextField {...bind('notes')} optional max={1000} />
              <LongText {...bind('notesInternal')} optional max={2000} />
            </div>
          </details>
        </div>
        <div className="so-sticky">
          <Card title={t('standingOrders.comingTitle')} hint={t('standingOrders.previewHint')}>
            {preview.error && ready && !before ? (
              <Note tone="wait">{failureText(t, preview.error)}</Note>
            ) : coming.length === 0 ? (
              <p className="so-small">{t('standingOrders.previewEmpty')}</p>
            ) : (
              <ol className="so-coming">
                {coming.map((one) => (
                  <li key={one.no}>
                    <span>
                      <Num>{formatDay(one.day)}</Num>
                      <span className="so-small"> {comingNotes(t, one).join(' · ')}</span>
                    </span>
                    <Money amount={one.totalAgorot} currency={form.currency} />
                  </li>
                ))}
              </ol>
            )}
            {coming[0] && <p className="so-small">{coming[0].description}</p>}
          </Card>
          {notices.length > 0 && (
            <Card title={t('standingOrders.notices')} hint={t('standingOrders.noticesHint')}>
              <ul className="so-coming">
                {notices.map((one) => (
                  <li key={`${one.kind} ${one.forDay}`}>
                    <span>{t(`standingOrders.notice.${one.kind}`)}</span>
                    <span className="so-small">
                      <Num>
                        {formatDay(one.fromDay)}–{formatDay(one.toDay)}
                      </Num>
                    </span>
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </div>
      </div>
    </form>
  )
}

/** What was typed, once it rests: the preview asks then and not at each letter. */
function useLater(value: string): string {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), 350)
    return () => clearTimeout(timer)
  }, [value])
  return later
}
