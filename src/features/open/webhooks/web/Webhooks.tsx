import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { KeptPlace } from '#kit/web/parts/KeptPlace.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listWebhooks, type Webhook } from '../endpoints.ts'
import { eventsText, WebhookState } from './says.tsx'
import { WebhookSheet } from './WebhookSheet.tsx'
import './webhooks.css'

export const pageOf = ({ id }: Pick<Webhook, 'id'>) => `/invoice/webhooks/${id}`

/** Addresses of other programs, what each hears of and how it is doing. */
export function Screen() {
  const t = useWords()
  const [adding, setAdding] = useState(false)
  const { data, error, isLoading, refetch } = useCall(listWebhooks, {}, { staleTime: 0 })
  const rows = data?.rows ?? []
  const add = (
    <Button kind="primary" icon={Plus} onPress={() => setAdding(true)}>
      {t('webhooks.add')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('screens.webhooks')}
        sub={t('webhooks.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={<KeptPlace shown={rows.length > 0}>{add}</KeptPlace>}
      />
      <DataTable
        label={t('screens.webhooks')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name || row.url}
        rowHref={pageOf}
        onOpen={(row) => go(pageOf(row))}
        loading={isLoading}
        isOff={({ state }) => state === 'off'}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={WebhookIcon} title={t('webhooks.empty.title')} actions={add}>
              {t('webhooks.empty.text')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'name',
            title: t('webhooks.fields.name'),
            strong: true,
            width: '20%',
            cell: (row) => <TextCell value={row.name || new URL(row.url).hostname} />,
            phone: 'title',
          },
          {
            key: 'url',
            title: t('webhooks.fields.url'),
            width: 'trim',
            cell: (row) => <bdi dir="ltr">{row.url}</bdi>,
            phone: 'line',
          },
          {
            key: 'events',
            title: t('webhooks.fields.events'),
            width: 'fit',
            cell: (row) => <bdi dir="auto">{eventsText(t, row)}</bdi>,
          },
          {
            key: 'waiting',
            title: t('webhooks.fields.waiting'),
            width: 'fit',
            align: 'amount',
            cell: (row) => row.waiting > 0 && <Num>{row.waiting}</Num>,
          },
          {
            key: 'lastSentAt',
            title: t('webhooks.fields.lastSentAt'),
            width: 'fit',
            cell: (row) =>
              row.lastSentAt ? (
                <Num>{formatMoment(new Date(row.lastSentAt))}</Num>
              ) : (
                <span className="hint">{t('webhooks.never')}</span>
              ),
          },
          {
            key: 'lastStatusCode',
            title: t('webhooks.fields.lastStatusCode'),
            width: 'fit',
            align: 'amount',
            cell: (row) => row.lastStatusCode !== null && <Num>{row.lastStatusCode}</Num>,
          },
          {
            key: 'state',
            title: t('webhooks.fields.state'),
            width: 'fit',
            cell: (row) => <WebhookState of={row} />,
            phone: 'state',
          },
        ]}
      />
      {rows.length > 0 && <p className="sub wh-order">{t('webhooks.order')}</p>}
      {adding && <WebhookSheet onClose={() => setAdding(false)} />}
    </>
  )
}
