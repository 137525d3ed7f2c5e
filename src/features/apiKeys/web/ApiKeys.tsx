import { Ban, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment, formatMoney } from '../../../domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '../../../kit/web/call.ts'
import { TextCell } from '../../../kit/web/fields/cells.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { DataTable } from '../../../kit/web/parts/DataTable.tsx'
import { Question } from '../../../kit/web/parts/Dialog.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Failed } from '../../../kit/web/parts/Failed.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { PageHeader } from '../../../kit/web/parts/PageHeader.tsx'
import { StatusPill } from '../../../kit/web/parts/Status.tsx'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords, type Words } from '../../../kit/web/words.tsx'
import { listKeys, revokeKey, type ApiKey } from '../endpoints.ts'
import { KeySheet } from './KeySheet.tsx'
import './apiKeys.css'

const stateOf = (key: ApiKey): 'revoked' | 'over' | 'live' =>
  key.revokedAt ? 'revoked' : key.expiresAt && new Date(key.expiresAt) <= new Date() ? 'over' : 'live'

/** What a key may, in words. */
export function scopeText(t: Words, key: Pick<ApiKey, 'readOnly' | 'draftsOnly' | 'rules' | 'docsAllow' | 'sumLimitAgorot'>): string {
  return [
    t(key.readOnly ? 'apiKeys.may.read' : key.draftsOnly ? 'apiKeys.may.drafts' : 'apiKeys.may.all'),
    ...(key.rules.length ? [t('apiKeys.areas', { count: key.rules.length })] : []),
    ...(key.docsAllow.length ? [t('apiKeys.types', { count: key.docsAllow.length })] : []),
    ...(key.sumLimitAgorot === null ? [] : [t('apiKeys.upTo', { sum: `₪${formatMoney(key.sumLimitAgorot)}` })]),
  ].join(' · ')
}

/** Keys for programs: who has one, what it may, when it was used; made and ended here. */
export function Screen() {
  const t = useWords()
  const [making, setMaking] = useState(false)
  const [ending, setEnding] = useState<ApiKey>()
  const { data, error, isLoading, refetch } = useCall(listKeys, {})
  const rows = data?.rows ?? []
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(listKeys) })
  const make = (
    <Button kind="primary" icon={Plus} onPress={() => setMaking(true)}>
      {t('apiKeys.make')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('screens.apiKeys')}
        sub={t('apiKeys.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={rows.length > 0 && make}
      />
      <DataTable
        label={t('screens.apiKeys')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        loading={isLoading}
        isOff={(row) => stateOf(row) !== 'live'}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={KeyRound} title={t('apiKeys.empty.title')} actions={make}>
              {t('apiKeys.empty.text')}
            </EmptyState>
          )
        }
        menu={(row) =>
          stateOf(row) === 'live'
            ? [{ key: 'end', label: t('apiKeys.revoke'), icon: Ban, tone: 'danger', onPress: () => setEnding(row) }]
            : []
        }
        columns={[
          {
            key: 'name',
            title: t('apiKeys.fields.name'),
            strong: true,
            width: '18%',
            cell: (row) => <TextCell value={row.name} />,
            phone: 'title',
          },
          {
            key: 'prefix',
            title: t('apiKeys.fields.prefix'),
            width: 'fit',
            cell: (row) => (
              <span className="hint">
                <Num>{row.prefix}…</Num>
              </span>
            ),
            phone: 'line',
          },
          {
            key: 'scope',
            title: t('apiKeys.fields.scope'),
            width: 'trim',
            cell: (row) => <TextCell value={scopeText(t, row)} />,
            phone: 'line',
          },
          {
            key: 'usedAt',
            title: t('apiKeys.fields.usedAt'),
            width: 'fit',
            cell: (row) =>
              row.usedAt ? (
                <span title={row.usedFrom}>
                  <Num>{formatMoment(new Date(row.usedAt))}</Num>{' '}
                  <span className="hint">
                    <Num>{row.usedFrom}</Num>
                  </span>
                </span>
              ) : (
                <span className="hint">{t('apiKeys.never')}</span>
              ),
          },
          {
            key: 'expiresAt',
            title: t('apiKeys.fields.expiresOn'),
            width: 'fit',
            // The moment is the end of the day: the day is the one before it.
            cell: (row) =>
              row.expiresAt ? <Num>{formatDay(new Date(Date.parse(row.expiresAt) - 12 * 3_600_000).toISOString().slice(0, 10))}</Num> : '–',
          },
          {
            key: 'state',
            title: t('apiKeys.fields.state'),
            width: 'fit',
            cell: (row) => <StatusPill tone={stateOf(row) === 'live' ? 'done' : 'plain'}>{t(`apiKeys.state.${stateOf(row)}`)}</StatusPill>,
            phone: 'state',
          },
        ]}
      />
      {making && (
        <KeySheet
          onClose={() => {
            setMaking(false)
            void refresh()
          }}
        />
      )}
      <Question
        isOpen={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title={t('apiKeys.revokeAsk', { name: ending?.name ?? '' })}
        verb={t('apiKeys.revoke')}
        danger
        onConfirm={async () => {
          try {
            await call(revokeKey, { id: ending!.id })
            await refresh()
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('apiKeys.revokeText')}
      </Question>
    </>
  )
}
