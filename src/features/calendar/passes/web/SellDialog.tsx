import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Chip } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { callsOf, refreshResource, searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { toast } from '#kit/web/parts/notices.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { holdings } from '#features/registers/parties/holdings.ts'
import { refreshClasses } from '#features/calendar/timetable/web/index.tsx'
import { renewPass, sellPass } from '../endpoints.ts'
import { passKinds } from '../passes.ts'
import '#features/calendar/timetable/web/timetable.css'

interface Named {
  key: string
  label: string
}

export interface Again {
  kind: Named | null
  fromDay: Day
  people: Named[]
}

/**
 * A pass is sold: which, to whom, from when; its paper waits as a draft for the person who takes the money. `again`
 * is what is sold in place of a pass that ends or is over.
 */
export function SellDialog({
  customer,
  again,
  onClose,
}: {
  customer?: Named
  again?: Again
  onClose: () => void
}) {
  const t = useWords()
  const today = useToday()
  const can = useCan()
  const may = can('documents.draft')
  const [who, setWho] = useState<Named | null>(customer ?? null)
  const [kind, setKind] = useState<Named | null>(again?.kind ?? null)
  const [from, setFrom] = useState<Day | null>(again?.fromDay ?? today)
  const [price, setPrice] = useState<number | null>()
  const [people, setPeople] = useState<Named[]>(again?.people ?? [])
  const [paper, setPaper] = useState(true)
  const [renews, setRenews] = useState(true)
  const facts = useCall(callsOf(passKinds).get, { id: kind?.key ?? '' } as never, { enabled: kind !== null })
    .data as { priceAgorot: number; people: number; renews: string } | undefined
  const sum = price === undefined ? (facts?.priceAgorot ?? null) : price
  const shares = (facts?.people ?? 1) > 1
  const mayRenew = can('standingOrders.change') && facts !== undefined && facts.renews !== 'once'
  return (
    <FormDialog
      title={again && customer ? `${t('holdings.renew')} · ${customer.label}` : t('passes.sell')}
      verb={t('passes.sellVerb')}
      names={['customerId', 'kindId', 'fromDay', 'priceAgorot', 'people']}
      onClose={onClose}
      onSubmit={async () => {
        const shared = {
          customerId: who?.key ?? '',
          kindId: kind?.key ?? '',
          ...(from ? { fromDay: from } : {}),
          ...(sum !== null ? { priceAgorot: sum } : {}),
          people: shares ? people.map(({ key }) => key) : [],
        }
        if (mayRenew && renews) {
          const order = await call(renewPass, shared)
          await Promise.all([refreshClasses(), refreshResource(holdings)])
          onClose()
          toast(t('passes.renewed'))
          return go(`/invoice/retainers/${order.orderId}`)
        }
        const made = await call(sellPass, {
          ...shared,
          paper: paper && may,
        })
        await Promise.all([refreshClasses(), refreshResource(holdings)])
        onClose()
        if (made.documentId) go(`/invoice/InvoiceDocument/${made.documentId}`)
        else toast(t('passes.sold', { name: made.kindName, customer: made.customerName }))
      }}
    >
      {(error) => (
        <>
          {!customer && (
            <RefField
              label={t('passes.fields.customerId')}
              value={who}
              onChange={setWho}
              search={searchIn(customers)}
              {...error('customerId', who?.key)}
            />
          )}
          <RefField
            label={t('passes.fields.kindId')}
            value={kind}
            onChange={(one) => {
              setKind(one)
              // Each kind has its own price.
              setPrice(undefined)
            }}
            search={searchIn(passKinds)}
            {...error('kindId', kind?.key)}
          />
          <div className="tt-two">
            <DayField
              label={t('passes.fields.fromDay')}
              value={from}
              onChange={setFrom}
              {...error('fromDay', from)}
            />
            <MoneyField
              label={t('passes.fields.priceAgorot')}
              value={sum}
              onChange={setPrice}
              {...error('priceAgorot', sum)}
            />
          </div>
          {shares && (
            <>
              <RefField
                label={t('passes.people')}
                optional
                value={null}
                onChange={(one) =>
                  one && setPeople((old) => [...old.filter(({ key }) => key !== one.key), one])
                }
                search={searchIn(customers)}
                {...error('people', people)}
              />
              {people.length > 0 && (
                <div className="tt-days">
                  {people.map((one) => (
                    <Chip
                      key={one.key}
                      onRemove={() => setPeople((old) => old.filter(({ key }) => key !== one.key))}
                      removeLabel={t('kit.actions.remove')}
                    >
                      <bdi>{one.label}</bdi>
                    </Chip>
                  ))}
                </div>
              )}
            </>
          )}
          {mayRenew && (
            <>
              <FlagField label={t('passes.renew')} value={renews} onChange={setRenews} />
              {renews && <p className="hint">{t('passes.renewText')}</p>}
            </>
          )}
          {may && !(mayRenew && renews) && (
            <FlagField label={t('passes.paper')} value={paper} onChange={setPaper} />
          )}
        </>
      )}
    </FormDialog>
  )
}
