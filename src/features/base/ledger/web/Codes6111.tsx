import { CloudOff, ListOrdered, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { yearOf } from '#domain/day.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Combo } from '#kit/web/fields/Combo.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { TableFileButton } from '#kit/web/parts/TableFileButton.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { matches } from '#kit/web/parts/matches.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { accounts } from '../accounts.ts'
import { codes6111Of, import6111, tie6111 } from '../endpoints.ts'
import './ledger.css'

type Row = OutputOf<typeof codes6111Of>['rows'][number]

/**
 * Which line of form 6111 each account has in a tax year; what is not said for the year is the account's own.
 */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const may = useCan()('ledger.change')
  const { query, setQuery } = usePlace()
  const thisYear = yearOf(today)
  const year = /^2[01]\d\d$/.test(query.year ?? '') ? Number(query.year) : thisYear
  const [only, setOnly] = useState<'all' | 'without'>('all')
  const [search, setSearch] = useState('')
  const phone = usePhone()
  const { data, error, refetch } = useCall(codes6111Of, { year })
  const tie = useSend(tie6111, { refresh: [codes6111Of], onError: (e) => banner.error(failureText(t, e)) })
  const bring = async (file: File) => {
    try {
      const { codes } = await call(import6111, { year, bytes: file })
      await refetch()
      banner.success(t('ledger.codes6111.brought', { count: codes }))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const nameOf = new Map(data?.codes.map((one) => [one.code, one]))
  const options = (data?.codes ?? []).map(({ code, name }) => ({ key: code, label: `${code} ${name}` }))
  const found = search.trim() === '' ? options : options.filter((one) => matches(one.label, search))
  const without = data?.rows.filter((row) => !nameOf.has(row.code)).length ?? 0
  const rows = (data?.rows ?? []).filter((row) => only === 'all' || !nameOf.has(row.code))
  const codeCell = (row: Row) => {
    const code = nameOf.get(row.code)
    const shown = code ? `${code.code} ${code.name}` : row.code
    if (!may)
      return shown ? <TextCell value={shown} /> : <span className="hint">{t('ledger.codes6111.noCode')}</span>
    return (
      <div className="lg-code">
        <Combo
          label={t('ledger.codes6111.codeOf', { account: `${row.number} ${row.name}` })}
          hideLabel
          bare={!phone}
          clearable
          placeholder={t('ledger.codes6111.noCode')}
          value={row.code ? { key: row.code, label: shown } : null}
          options={found.slice(0, 60)}
          onQuery={setSearch}
          onChange={(option) =>
            tie.mutate({ year, ties: [{ accountId: row.accountId, code: option?.key ?? '' }] })
          }
        />
      </div>
    )
  }
  return (
    <>
      <PageHeader
        title={t('screens.codes6111')}
        crumbs={[{ label: t('accounts.title'), href: accounts.screens.list }]}
        sub={t('ledger.codes6111.text')}
        actions={
          may && <TableFileButton label={t('ledger.codes6111.bring')} onFile={(file) => void bring(file)} />
        }
      />
      <div className="lg-stack">
        <div className="lg-asks">
          <div className="lg-year">
            <WholeField
              label={t('ledger.codes6111.year')}
              value={year}
              onChange={(next) => next && next >= 2000 && next <= 2199 && setQuery({ year: String(next) })}
            />
          </div>
          <Segmented
            label={t('ledger.codes6111.show')}
            value={only}
            onChange={setOnly}
            options={(['all', 'without'] as const).map((key) => ({
              key,
              label: t(`ledger.codes6111.${key}`),
            }))}
          />
        </div>
        <Together waits={!data && !error}>
          {without > 0 && <Note tone="wait">{t('ledger.codes6111.missing', { count: without })}</Note>}
          {error ? (
            <EmptyState icon={CloudOff} title={t('kit.reports.failed')}>
              {failureText(t, error)}
            </EmptyState>
          ) : phone && data && rows.length > 0 ? (
            // Cards that open cannot hold fields: here each account has its field under its name.
            <ul className="lg-cards" aria-label={t('screens.codes6111')}>
              {rows.map((row) => (
                <li key={row.accountId}>
                  <b>
                    <Num>{row.number}</Num> <bdi>{row.name}</bdi>
                  </b>
                  {codeCell(row)}
                </li>
              ))}
            </ul>
          ) : (
            <DataTable
              label={t('screens.codes6111')}
              main
              loading={!data}
              rows={rows}
              rowKey={(row) => row.accountId}
              rowName={(row) => `${row.number} ${row.name}`}
              rowHref={(row) => `/invoice/cardskarteset/${row.accountId}`}
              empty={<EmptyState icon={ListOrdered} title={t('ledger.codes6111.none')} />}
              columns={[
                {
                  key: 'number',
                  title: t('accounts.fields.number'),
                  width: 'fit',
                  strong: true,
                  phone: 'line',
                  cell: (row) => <Num>{row.number}</Num>,
                },
                {
                  key: 'name',
                  title: t('accounts.fields.name'),
                  width: '30%',
                  phone: 'title',
                  cell: (row) => <TextCell value={row.name} />,
                },
                {
                  key: 'kind',
                  title: t('accounts.fields.kind'),
                  width: 'fit',
                  phone: 'line',
                  cell: (row) => t(`accounts.kind.${row.kind}`),
                },
                {
                  key: 'code',
                  title: t('accounts.fields.code6111'),
                  width: 'trim',
                  phone: 'state',
                  cell: codeCell,
                },
                {
                  key: 'own',
                  title: t('ledger.codes6111.source'),
                  width: 'fit',
                  cell: (row) =>
                    row.own ? (
                      <Button
                        kind="quiet"
                        size="xs"
                        icon={RotateCcw}
                        isDisabled={!may}
                        onPress={() => tie.mutate({ year, ties: [{ accountId: row.accountId, code: null }] })}
                        label={t('ledger.codes6111.again', { account: row.name })}
                      />
                    ) : (
                      <span className="hint">{t('ledger.codes6111.ofAccount')}</span>
                    ),
                },
              ]}
            />
          )}
        </Together>
      </div>
    </>
  )
}
