import { Ban, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { KeptPlace } from '#kit/web/parts/KeptPlace.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listKeys, revokeKey, type ApiKey } from '../endpoints.ts'
import { KeyCard } from './KeyCard.tsx'
import { KeySheet } from './KeySheet.tsx'
import { expiryOf, scopeText, stateOf } from './says.ts'
import './apiKeys.css'

/** Keys for programs: who has one, what it may, when it was used; made and ended here. */
export function Screen() {
  const t = useWords()
  const [making, setMaking] = useState(false)
  const [ending, setEnding] = useState<ApiKey>()
  const [shown, setShown] = useState<ApiKey>()
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
        actions={<KeptPlace shown={rows.length > 0}>{make}</KeptPlace>}
      />
      <DataTable
        label={t('screens.apiKeys')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        loading={isLoading}
        isOff={(row) => stateOf(row) !== 'live'}
        onOpen={setShown}
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
            ? [
                {
                  key: 'end',
                  label: t('apiKeys.revoke'),
                  icon: Ban,
                  tone: 'danger',
                  onPress: () => setEnding(row),
                },
              ]
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
            cell: (row) => <Num>{expiryOf(row) ?? '–'}</Num>,
          },
          {
            key: 'state',
            title: t('apiKeys.fields.state'),
            width: 'fit',
            cell: (row) => (
              <StatusPill tone={stateOf(row) === 'live' ? 'done' : 'plain'}>
                {t(`apiKeys.state.${stateOf(row)}`)}
              </StatusPill>
            ),
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
      {shown && (
        <KeyCard
          of={shown}
          onClose={() => setShown(undefined)}
          onEnd={() => {
            setEnding(shown)
            setShown(undefined)
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
