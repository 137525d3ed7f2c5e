import { ArrowDown, ArrowUp, CreditCard, Plug } from 'lucide-react'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { KeptPlace } from '#kit/web/parts/KeptPlace.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { listTerminals, moveTerminal } from '../endpoints.ts'
import { mostOf, nameOf, NotReached, pageOf, refresh, State, sumsOf } from './says.tsx'
import './acquirers.css'

/** The terminals of the business, in the order in which a charge looks for one. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const may = useCan()('acquirers.change')
  const { data, error, isLoading, refetch } = useCall(listTerminals, {}, { staleTime: 0 })
  const move = useSend(moveTerminal, {
    onSuccess: () => void refresh(),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const rows = data?.rows ?? []
  const real = rows.filter(({ isTest }) => !isTest)
  const connect = (
    <Button kind="primary" icon={Plug} href="/invoice/onlinemarket">
      {t('acquirers.connect')}
    </Button>
  )
  return (
    <Together waits={isLoading}>
      <PageHeader
        title={t('screens.settingsPayments')}
        sub={t('acquirers.terminals.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={<KeptPlace shown={rows.length > 0}>{connect}</KeptPlace>}
      />
      {rows.some(({ isReached }) => !isReached) && <NotReached />}
      <DataTable
        label={t('screens.settingsPayments')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => nameOf(t, row)}
        rowHref={(row) => pageOf(row.id)}
        onOpen={(row) => go(pageOf(row.id))}
        loading={isLoading}
        isOff={({ state }) => state === 'off'}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={CreditCard} title={t('acquirers.terminals.empty.title')} actions={connect}>
              {t('acquirers.terminals.empty.text')}
            </EmptyState>
          )
        }
        menu={(row) => {
          const at = real.indexOf(row)
          return may && at >= 0
            ? [
                ...(at > 0
                  ? [
                      {
                        key: 'up',
                        label: t('acquirers.up', { name: nameOf(t, row) }),
                        icon: ArrowUp,
                        onPress: () => move.mutate({ id: row.id, by: 'up' as const }),
                      },
                    ]
                  : []),
                ...(at < real.length - 1
                  ? [
                      {
                        key: 'down',
                        label: t('acquirers.down', { name: nameOf(t, row) }),
                        icon: ArrowDown,
                        onPress: () => move.mutate({ id: row.id, by: 'down' as const }),
                      },
                    ]
                  : []),
              ]
            : []
        }}
        phoneMenu
        columns={[
          {
            key: 'name',
            title: t('acquirers.fields.name'),
            strong: true,
            width: 'trim',
            cell: (row) => <TextCell value={nameOf(t, row)} />,
            phone: 'title',
          },
          {
            key: 'gateway',
            title: t('acquirers.market.name'),
            width: 'fit',
            cell: (row) => t(`cardCharges.acquirer.${row.gateway}`),
            phone: 'line',
          },
          {
            key: 'currencies',
            title: t('acquirers.fields.currencies'),
            width: 'fit',
            cell: (row) => <bdi dir="ltr">{row.currencies.join(' ')}</bdi>,
          },
          {
            key: 'sums',
            title: t('acquirers.fields.sums'),
            width: 'fit',
            cell: (row) => sumsOf(t, lang, row),
          },
          {
            key: 'instalments',
            title: t('acquirers.fields.instalments'),
            width: 'fit',
            cell: (row) => mostOf(t, row),
          },
          {
            key: 'state',
            title: t('acquirers.market.state'),
            width: 'fit',
            cell: (row) => <State of={row.state} />,
            phone: 'state',
          },
        ]}
      />
    </Together>
  )
}
