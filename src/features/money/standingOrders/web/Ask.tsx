import { Link2 } from 'lucide-react'
import { call, useCall } from '#kit/web/calls/call.ts'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { CopyCard } from '#kit/web/public/CopyCard.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { askCustomer, getOrder } from '../endpoints.ts'
import { refreshOrders } from './words.tsx'

/** The customer's own page of an order: its link to copy, or a message with it. Nothing is sent before a press. */
export function AskDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const { data: order } = useCall(getOrder, { id })
  return (
    <FormDialog
      title={t('standingOrders.ask.title')}
      verb={t('standingOrders.ask.send')}
      isDisabled={!order}
      names={['channel']}
      onClose={onClose}
      onSubmit={async () => {
        await call(askCustomer, { id, channel: 'mail' })
        await refreshOrders()
        banner.success(t('standingOrders.said.asked'))
        onClose()
      }}
    >
      {() =>
        order ? (
          <>
            <p className="hint">{t('standingOrders.ask.text', { customer: order.customer })}</p>
            <CopyCard icon={Link2} title={t('standingOrders.ask.link')} text={order.pageUrl} />
          </>
        ) : (
          <Skeleton lines={2} />
        )
      }
    </FormDialog>
  )
}
