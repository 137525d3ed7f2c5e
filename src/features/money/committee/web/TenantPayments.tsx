import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Check, ExternalLink, Repeat } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { grid, tenantOrders } from '../endpoints.ts'
import { PayDialog, TenantPagesDialog } from './Dialogs.tsx'
import { useHouse } from './house.ts'
import { OrderDialog, OrdersCard } from './OrderDialog.tsx'
import './committee.css'

/**
 * What tenants paid, with the receipt of each; a receipt that is cancelled on its page takes its payment
 * back.
 */
export function Screen() {
  const t = useWords()
  const can = useCan()
  const may = can('committee.change')
  const seesOrders = may && can('standingOrders.see')
  const { house, houses, error } = useHouse()
  const { data, isLoading } = useCall(grid, { id: house?.id ?? '' }, { enabled: house !== undefined })
  const { data: orders, isLoading: waitsForOrders } = useCall(
    tenantOrders,
    { id: house?.id ?? '' },
    { enabled: house !== undefined && seesOrders },
  )
  const [opens, setOpens] = useState<'pay' | 'page' | 'order'>()
  const close = () => setOpens(undefined)
  return (
    <Together waits={(!houses && !error) || isLoading || waitsForOrders}>
      <PageHeader
        title={t('screens.tenantPayments')}
        actions={
          may &&
          data && (
            <Button kind="primary" icon={Check} onPress={() => setOpens('pay')}>
              {t('committee.pay.title')}
            </Button>
          )
        }
        more={[
          ...(may && data?.rows.some((row) => row.payers.length)
            ? [
                {
                  key: 'page',
                  label: t('committee.tenant.link'),
                  icon: ExternalLink,
                  onPress: () => setOpens('page'),
                },
              ]
            : []),
          ...(orders && orders.payers.length > 0 && can('standingOrders.change')
            ? [
                {
                  key: 'order',
                  label: t('committee.order.title'),
                  icon: Repeat,
                  onPress: () => setOpens('order'),
                },
              ]
            : []),
        ]}
      />
      {orders && orders.rows.length > 0 ? (
        <div className="vd-stack">
          <OrdersCard of={orders} />
          <ReportScreen name="tenantPayments" bare main />
        </div>
      ) : (
        <ReportScreen name="tenantPayments" bare main />
      )}
      {opens === 'pay' && data && <PayDialog of={data} flatId={undefined} onClose={close} />}
      {opens === 'page' && data && <TenantPagesDialog of={data} onClose={close} />}
      {opens === 'order' && house && orders && <OrderDialog houseId={house.id} of={orders} onClose={close} />}
    </Together>
  )
}
