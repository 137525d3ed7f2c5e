import { useState } from 'react'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Link } from 'react-aria-components/Link'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { brandWord } from '#features/base/companies/means.ts'
import { cardsForOrder } from '#features/money/standingOrders/endpoints.ts'
import { means as orderMeans, type Means } from '#features/money/standingOrders/standingOrders.ts'
import { OrderStatePill } from '#features/money/standingOrders/web/index.tsx'
import { orderForTenant, tenantOrders } from '../endpoints.ts'
import { refreshHouse } from './house.ts'
import './committee.css'

type Orders = OutputOf<typeof tenantOrders>

/**
 * A monthly standing order of a tenant; how it is charged is seen and changed on the order's own page, to
 * which it leads.
 */
export function OrderDialog({ houseId, of, onClose }: { houseId: string; of: Orders; onClose: () => void }) {
  const t = useWords()
  const [who, setWho] = useState('')
  const [means, setMeans] = useState<Means>('card')
  const [card, setCard] = useState('')
  const [agorot, setAgorot] = useState<number | null>(null)
  const [day, setDay] = useState<Day | null>(() => dayInJerusalem(new Date()))
  const { data: ways } = useCall(cardsForOrder, { customerId: who }, { enabled: who !== '' })
  const chosen = card || ways?.cards.find((one) => one.isDefault)?.id || ways?.cards[0]?.id || ''
  const cards = (ways?.cards ?? []).map((one) => ({
    value: one.id,
    label: `${brandWord(one.brand, t)} ${one.last4} · ${formatDay(one.expires)}`,
  }))
  return (
    <FormDialog
      title={t('committee.order.title')}
      verb={t('committee.order.verb')}
      isDisabled={!who || !agorot}
      names={['customerId', 'agorot', 'means', 'cardId', 'startDay']}
      onClose={onClose}
      onSubmit={async () => {
        const { orderId } = await call(orderForTenant, {
          id: houseId,
          customerId: who,
          agorot: agorot ?? 0,
          means,
          startDay: day ?? dayInJerusalem(new Date()),
          ...(means === 'card' && chosen ? { cardId: chosen } : {}),
        })
        await refreshHouse()
        banner.success(t('committee.order.done'))
        go(`/invoice/retainers/${orderId}`)
      }}
    >
      {(error) => (
        <div className="vd-form">
          <p className="hint">{t('committee.order.text')}</p>
          <ChoiceField
            label={t('committee.tenant.who')}
            as="list"
            value={who}
            onChange={(next) => {
              if (!next) return
              setWho(next)
              setCard('')
              setAgorot(of.payers.find((one) => one.customerId === next)?.agorot || null)
            }}
            choices={of.payers.map((one) => ({
              value: one.customerId,
              label: `${t('committee.flat')} ${one.flats} · ${one.name}`,
            }))}
            {...error('customerId', who)}
          />
          <MoneyField
            label={t('committee.order.sum')}
            value={agorot}
            onChange={setAgorot}
            {...error('agorot', agorot)}
          />
          <ChoiceField
            label={t('standingOrders.fields.means')}
            value={means}
            onChange={(next) => next && setMeans(next)}
            choices={orderMeans.map((value) => ({ value, label: t(`standingOrders.means.${value}`) }))}
            {...error('means', means)}
          />
          {means === 'card' && cards.length > 0 && (
            <ChoiceField
              label={t('standingOrders.fields.cardId')}
              as="list"
              value={chosen}
              onChange={(next) => next && setCard(next)}
              choices={cards}
              {...error('cardId', chosen)}
            />
          )}
          {means === 'card' && who !== '' && ways && cards.length === 0 && (
            <p className="hint">{t('committee.order.noCard')}</p>
          )}
          <DayField
            label={t('standingOrders.fields.startDay')}
            value={day}
            onChange={setDay}
            {...error('startDay', day)}
          />
        </div>
      )}
    </FormDialog>
  )
}

/** The standing orders by which tenants of a house pay. */
export function OrdersCard({ of }: { of: Orders }) {
  const t = useWords()
  return (
    <Card title={t('committee.order.many')} flush>
      <ul className="vd-list">
        {of.rows.map((one) => (
          <li key={one.id}>
            <span className="what">
              <Link className="link aim" href={`/invoice/retainers/${one.id}`}>
                <bdi>{one.customer}</bdi>
              </Link>
              <span className="hint text-12">
                <Num>{formatMoney(one.nextAgorot)}</Num>
                {one.nextDay && (
                  <>
                    {' '}
                    · <Num>{formatDay(one.nextDay)}</Num>
                  </>
                )}
              </span>
            </span>
            <OrderStatePill state={one.state} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
