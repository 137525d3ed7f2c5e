import { ExternalLink, Power, Send } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { endLeaving, listLeaves, type LeavingAnswer } from '../endpoints.ts'

/** Everything that leaves the business: to whom, with whose rights, and the way to end it. */
export function Screen() {
  const t = useWords()
  const may = useCan()('workers.change')
  const [ending, setEnding] = useState<LeavingAnswer>()
  const { data, error, isLoading, refetch } = useCall(listLeaves, {}, { staleTime: 0 })
  const nameOf = (one: LeavingAnswer) => one.name || t(`team.leaves.kinds.${one.kind}`)
  return (
    <div>
      <PageHeader
        title={t('screens.leaves')}
        sub={t('team.leaves.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
      />
      <DataTable
        label={t('screens.leaves')}
        main
        rows={data?.rows ?? []}
        rowKey={(row) => `${row.kind} ${row.id}`}
        rowName={nameOf}
        loading={isLoading}
        isOff={({ isOn }) => !isOn}
        rowHref={(row) => row.href}
        onOpen={(row) => go(row.href)}
        menu={(row) => [
          {
            key: 'open',
            label: t('team.leaves.open'),
            icon: ExternalLink,
            onPress: () => go(row.href),
          },
          ...(may && row.mayEnd
            ? [
                {
                  key: 'end',
                  label: t('team.leaves.end'),
                  icon: Power,
                  tone: 'danger' as const,
                  onPress: () => setEnding(row),
                },
              ]
            : []),
        ]}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={Send} title={t('team.leaves.empty')}>
              {t('team.leaves.emptyText')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'name',
            title: t('team.leaves.fields.name'),
            strong: true,
            width: '22%',
            cell: (row) => <TextCell value={nameOf(row)} />,
            phone: 'title',
          },
          {
            key: 'kind',
            title: t('team.leaves.fields.kind'),
            width: 'fit',
            cell: (row) => t(`team.leaves.kinds.${row.kind}`),
            phone: 'line',
          },
          {
            key: 'to',
            title: t('team.leaves.fields.to'),
            width: 'trim',
            cell: (row) => <TextCell value={row.to} />,
          },
          {
            key: 'by',
            title: t('team.leaves.fields.by'),
            width: 'trim',
            cell: (row) => (
              <TextCell
                value={[row.by ?? t('team.leaves.business'), row.byKey].filter(Boolean).join(' · ')}
              />
            ),
            phone: 'line',
          },
          {
            key: 'lastAt',
            title: t('team.leaves.fields.lastAt'),
            width: 'fit',
            cell: (row) => row.lastAt && <Num>{formatMoment(new Date(row.lastAt))}</Num>,
          },
          {
            key: 'state',
            title: t('team.leaves.fields.state'),
            width: 'fit',
            cell: (row) => (
              <StatusPill tone={row.isOn ? 'done' : 'plain'}>
                {t(row.isOn ? 'team.leaves.on' : 'team.leaves.off')}
              </StatusPill>
            ),
            phone: 'state',
          },
        ]}
      />
      {ending && (
        <Question
          isOpen
          danger
          onClose={() => setEnding(undefined)}
          title={t('team.leaves.endAsk', { name: nameOf(ending) })}
          verb={t('team.leaves.end')}
          onConfirm={async () => {
            try {
              await call(endLeaving, { kind: ending.kind as never, id: ending.id })
              await queryClient.invalidateQueries({ queryKey: keyOf(listLeaves) })
              setEnding(undefined)
            } catch (e) {
              banner.error(failureText(t, e))
            }
          }}
        >
          {t('team.leaves.endText')}
        </Question>
      )}
    </div>
  )
}
