import { Plus, Store } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { KeptPlace } from '#kit/web/parts/KeptPlace.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { createShop, listShops } from '../endpoints.ts'
import type { ShopKind } from '../shops.ts'
import { pageOf, refresh, ShopState } from './says.tsx'
import './shops.css'

/** Shops whose orders become documents, and how each is doing. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const { data, error, isLoading, refetch } = useCall(listShops, {}, { staleTime: 0 })
  const rows = data?.rows ?? []
  const add = may('shops.connect') && (
    <Button kind="primary" icon={Plus} onPress={() => setQuery({ add: '1' })}>
      {t('shops.add')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('screens.shops')}
        sub={t('shops.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={add && <KeptPlace shown={rows.length > 0}>{add}</KeptPlace>}
      />
      <DataTable
        label={t('screens.shops')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        rowHref={pageOf}
        onOpen={(row) => go(pageOf(row))}
        loading={isLoading}
        isOff={({ state }) => state !== 'on'}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={Store} title={t('shops.empty.title')} actions={add}>
              {t('shops.empty.text')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'name',
            title: t('shops.fields.name'),
            strong: true,
            width: '30%',
            cell: (row) => <TextCell value={row.name} />,
            phone: 'title',
          },
          {
            key: 'kind',
            title: t('shops.fields.kind'),
            width: 'fit',
            cell: (row) => t(`shops.kinds.${row.kind}`),
            phone: 'line',
          },
          {
            key: 'issued',
            title: t('shops.fields.issued'),
            width: 'fit',
            align: 'amount',
            cell: (row) => <Num>{row.counts.issued}</Num>,
          },
          {
            key: 'heardAt',
            title: t('shops.fields.heardAt'),
            width: 'fit',
            cell: (row) =>
              row.heardAt ? (
                <Num>{formatMoment(new Date(row.heardAt))}</Num>
              ) : (
                <span className="hint">{t('shops.never')}</span>
              ),
          },
          {
            key: 'state',
            title: t('shops.fields.state'),
            width: 'fit',
            cell: (row) => <ShopState of={row} />,
            phone: 'state',
          },
        ]}
      />
      {query.add && data && may('shops.connect') && (
        <AddDialog
          offered={data.offered}
          start={data.offered.find((kind) => kind === query.add) ?? 'woocommerce'}
          onClose={() => setQuery({ add: undefined })}
        />
      )}
    </>
  )
}

function AddDialog({
  offered,
  start,
  onClose,
}: {
  offered: readonly ShopKind[]
  start: ShopKind
  onClose: () => void
}) {
  const t = useWords()
  const [kind, setKind] = useState(start)
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={t('shops.add')}
      verb={t('shops.add')}
      names={['name', 'kind']}
      onClose={onClose}
      onSubmit={async () => {
        if (kind === 'shopify' || kind === 'wix') return go(`/connect${kind}`)
        const made = await call(createShop, { kind, name: name.trim() || t(`shops.kinds.${kind}`) })
        await refresh()
        go(`${pageOf(made)}?tab=setup`)
      }}
    >
      {(error) => (
        <>
          <ChoiceField<ShopKind>
            label={t('shops.fields.kind')}
            value={kind}
            onChange={(next) => next && setKind(next)}
            choices={offered.map((value) => ({ value, label: t(`shops.kinds.${value}`) }))}
            hint={t(`shops.kindHints.${kind}`)}
          />
          {(kind === 'generic' || kind === 'woocommerce') && (
            <TextField
              label={t('shops.fields.name')}
              hint={t('shops.hints.name')}
              optional
              value={name}
              onChange={setName}
              max={80}
              {...error('name', name)}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
