import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { refreshResource, searchIn, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { assignToCustomer, buyersOfList, listOfCustomer, priceFacts } from '../endpoints.ts'
import { customerPrices, priceLists } from '../priceLists.ts'
import './dress.tsx'
import './prices.css'

/** On a customer's card: the customer's price list, and the prices agreed with the customer. */
export function Panel({ row }: { row: AnyRow }) {
  const t = useWords()
  const may = useCan()
  const { data, error } = useCall(listOfCustomer, { id: row.id }, { staleTime: 0 })
  const [chosen, setChosen] = useState<{ id: string; name: string } | null>()
  const assign = async (list: { id: string; name: string } | null) => {
    setChosen(list)
    try {
      await call(assignToCustomer, { id: row.id, priceListId: list?.id ?? null })
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await Promise.all([
      ...[listOfCustomer, buyersOfList, priceFacts].map((one) =>
        queryClient.invalidateQueries({ queryKey: keyOf(one) }),
      ),
      refreshResource(priceLists),
    ])
    setChosen(undefined)
  }
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={5} />
  const list = chosen === undefined ? data.list : chosen
  return (
    <div className="grid gap-5">
      <Card>
        <div className="grid gap-2">
          {may(priceLists.allow.change) ? (
            <RefField
              label={t('prices.customerList')}
              optional
              clearable
              value={list ? { key: list.id, label: list.name } : null}
              onChange={(option) => void assign(option ? { id: option.key, name: option.label } : null)}
              search={searchIn(priceLists)}
              hint={t('prices.order')}
            />
          ) : (
            <p>
              {t('prices.customerList')}: {list ? <bdi>{list.name}</bdi> : '–'}
            </p>
          )}
          {data.type?.list && (
            <p className="text-13 text-ink-2">
              {t('prices.ofType', { type: data.type.name })}{' '}
              <Link className="link" href={`/invoice/pricelist/${data.type.list.id}`}>
                <bdi>{data.type.list.name}</bdi>
              </Link>
            </p>
          )}
        </div>
      </Card>
      <section aria-label={t('customerPrices.title')}>
        <h2 className="pr-head">{t('customerPrices.title')}</h2>
        <ListScreen embedded archive resource={customerPrices} fixed={{ customerId: row.id }} />
      </section>
    </div>
  )
}
