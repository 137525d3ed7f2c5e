import { X } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { refreshResource, searchIn, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { assignToCustomer, assignToType, buyersOfList, listOfCustomer } from '../endpoints.ts'
import { priceLists } from '../priceLists.ts'
import './prices.css'

/** Who buys by a list: customers one by one, and whole types of customers. */
export function Panel({ row }: { row: AnyRow }) {
  const t = useWords()
  const may = useCan()
  const { data, error } = useCall(buyersOfList, { id: row.id }, { staleTime: 0 })
  const mayChange = may(priceLists.allow.change)
  const done = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keyOf(buyersOfList) }),
      queryClient.invalidateQueries({ queryKey: keyOf(listOfCustomer) }),
      refreshResource(priceLists),
    ])
  const deed = (work: Promise<unknown>) =>
    void work.then(done).catch((e: unknown) => banner.error(failureText(t, e)))
  if (error) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={5} />
  return (
    <div className="grid gap-4">
      <Card
        title={t('customers.title')}
        hint={`${t('priceLists.buyers.count', { count: data.customersOf })}${data.customers.length < data.customersOf ? ` · ${t('priceLists.buyers.first', { count: data.customers.length })}` : ''}`}
      >
        <div className="grid gap-3">
          {mayChange && may(customers.allow.see) && (
            <RefField
              label={t('priceLists.buyers.add')}
              value={null}
              onChange={(option) =>
                option && deed(call(assignToCustomer, { id: option.key, priceListId: row.id }))
              }
              search={searchIn(customers)}
            />
          )}
          {data.customers.length > 0 && (
            <Rows label={t('customers.title')}>
              {data.customers.map((one) => (
                <div key={one.id} className="pr-row">
                  <Link className="link cut" href={`/invoice/invoiceCustomer/${one.id}/prices`}>
                    <bdi>{one.name}</bdi>
                  </Link>
                  {mayChange && (
                    <Button
                      kind="quiet"
                      size="s"
                      icon={X}
                      label={t('priceLists.buyers.drop', { name: one.name })}
                      onPress={() => deed(call(assignToCustomer, { id: one.id, priceListId: null }))}
                    />
                  )}
                </div>
              ))}
            </Rows>
          )}
        </div>
      </Card>
      {data.types.length > 0 && (
        <Card title={t('priceLists.buyers.types')} hint={t('priceLists.buyers.typesHint')}>
          <div className="grid gap-2">
            {data.types.map((one) => (
              <FlagField
                key={one.id}
                as="switch"
                label={one.name}
                value={one.has}
                disabled={!mayChange}
                onChange={(has) => deed(call(assignToType, { id: one.id, priceListId: has ? row.id : null }))}
              />
            ))}
          </div>
        </Card>
      )}
    </div>
  )
}
