import { CircleCheck, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { deskGivenUp, deskRetry, type GivenUpRow } from '../endpoints.ts'

const idOf = ({ kind, companyId, key }: GivenUpRow) => `${kind} ${companyId ?? ''} ${key}`

/** For the operator of the installation: what was given up after all tries, with its reason and a new beginning. */
export function GivenUp() {
  const t = useWords()
  const [busy, setBusy] = useState<string>()
  const { data, error, isLoading, refetch } = useCall(
    deskGivenUp,
    {},
    { staleTime: 0, refetchInterval: 30_000 },
  )
  const retry = async (row: GivenUpRow) => {
    setBusy(idOf(row))
    try {
      await call(deskRetry, { kind: row.kind, companyId: row.companyId, key: row.key })
      banner.success(t('support.givenUp.retried'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await queryClient.invalidateQueries({ queryKey: keyOf(deskGivenUp) })
    setBusy(undefined)
  }
  return (
    <DataTable
      label={t('support.givenUp.title')}
      main
      rows={data?.rows ?? []}
      rowKey={idOf}
      rowName={(row) => row.name}
      loading={isLoading}
      empty={
        error ? (
          <Failed error={error} onRetry={refetch} />
        ) : (
          <EmptyState icon={CircleCheck} title={t('support.givenUp.none')}>
            {t('support.givenUp.noneText')}
          </EmptyState>
        )
      }
      columns={[
        {
          key: 'kind',
          title: t('support.givenUp.what'),
          width: 'fit',
          cell: (row) => <TextCell value={t(`support.givenUp.kind.${row.kind}`)} />,
          phone: 'line',
        },
        {
          key: 'name',
          title: t('support.givenUp.name'),
          strong: true,
          cell: (row) => <TextCell value={row.count > 1 ? `${row.name} (${row.count})` : row.name} />,
          phone: 'title',
        },
        {
          key: 'business',
          title: t('support.fields.business'),
          width: '16%',
          cell: (row) => <TextCell value={row.business} />,
          phone: 'line',
        },
        {
          key: 'error',
          title: t('support.givenUp.reason'),
          width: '28%',
          cell: (row) => <TextCell value={row.error} />,
          phone: 'line',
        },
        {
          key: 'at',
          title: t('support.givenUp.since'),
          width: 'fit',
          cell: (row) => <Num>{formatMoment(new Date(row.at))}</Num>,
        },
        {
          key: 'retry',
          title: '',
          width: 'fit',
          cell: (row) => (
            <Button icon={RotateCcw} busy={busy === idOf(row)} onPress={() => void retry(row)}>
              {t('support.givenUp.retry')}
            </Button>
          ),
          phone: 'state',
        },
      ]}
    />
  )
}
