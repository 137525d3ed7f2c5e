import { Coins, FileUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FileField } from '#kit/web/fields/FileField.tsx'
import { currencies, CurrencyField } from '#kit/web/fields/SmallChoices.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { KeptPlace } from '#kit/web/parts/KeptPlace.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { importRates, keepRate, rateHistory, ratesOfDay, removeRate, type Rate } from '../endpoints.ts'
import './rates.css'

const refresh = () =>
  Promise.all(
    [ratesOfDay, rateHistory].map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })),
  )

/** Four decimals at least, as the Bank of Israel writes them, so that they stand under one another. */
const even = (rate: string) => {
  const [whole, decimals = ''] = rate.split('.')
  return `${whole}.${decimals.padEnd(4, '0')}`
}

/** The commonest currencies first, as where one is chosen. */
const place = (currency: string) => {
  const at = (currencies as readonly string[]).indexOf(currency)
  return at < 0 ? currencies.length : at
}

/** Rates of exchange by currency and day: what the editor proposes for a document in foreign currency. */
export function Screen() {
  const t = useWords()
  const mayChange = useCan()('rates.change')
  const { data, error, refetch } = useCall(ratesOfDay, {})
  const [chosen, setChosen] = useState<string>()
  const [doing, setDoing] = useState<'add' | 'import'>()
  const rows = [...(data?.rows ?? [])].sort((a, b) => place(a.currency) - place(b.currency))
  const currency = rows.some((row) => row.currency === chosen) ? chosen! : rows[0]?.currency
  const buttons = mayChange && (
    <>
      <Button icon={FileUp} onPress={() => setDoing('import')}>
        {t('rates.import')}
      </Button>
      <Button kind="primary" icon={Plus} onPress={() => setDoing('add')}>
        {t('rates.add')}
      </Button>
    </>
  )
  return (
    <>
      <PageHeader
        title={t('screens.exchangeRates')}
        sub={t('rates.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={buttons && <KeptPlace shown={rows.length > 0}>{buttons}</KeptPlace>}
      >
        {rows.length > 0 && (
          <Views
            label={t('rates.currencies')}
            value={currency!}
            onChange={setChosen}
            views={rows.map((row) => ({ key: row.currency, label: row.currency }))}
          />
        )}
      </PageHeader>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : data && rows.length === 0 ? (
        <EmptyState icon={Coins} title={t('rates.empty.title')} actions={buttons}>
          {t('rates.empty.text')}
        </EmptyState>
      ) : (
        currency && <History key={currency} currency={currency} mayChange={mayChange} />
      )}
      {doing === 'add' && (
        <AddDialog currency={currency ?? 'USD'} onClose={() => setDoing(undefined)} onKept={setChosen} />
      )}
      {doing === 'import' && <ImportDialog onClose={() => setDoing(undefined)} />}
    </>
  )
}

function History({ currency, mayChange }: { currency: string; mayChange: boolean }) {
  const t = useWords()
  const [older, setOlder] = useState<{ rows: Rate[]; more: boolean }>()
  const { data, isLoading } = useCall(rateHistory, { currency })
  const rows = [...(data?.rows ?? []), ...(older?.rows ?? [])]
  const goOn = async () => {
    try {
      const next = await call(rateHistory, { currency, before: rows.at(-1)!.day })
      setOlder({ rows: [...(older?.rows ?? []), ...next.rows], more: next.more })
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const remove = async ({ day }: Rate) => {
    try {
      await call(removeRate, { currency, day })
      setOlder(older && { ...older, rows: older.rows.filter((row) => row.day !== day) })
      await refresh()
      banner.success(t('rates.removed'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <div className="rt-history">
      <DataTable
        label={`${t('screens.exchangeRates')} ${currency}`}
        main
        rows={rows}
        rowKey={(row) => row.day}
        rowName={(row) => formatDay(row.day)}
        loading={isLoading}
        {...(mayChange
          ? {
              menu: (row: Rate) =>
                row.source === 'common'
                  ? []
                  : [
                      {
                        key: 'remove',
                        label: t('rates.remove'),
                        icon: Trash2,
                        tone: 'danger' as const,
                        onPress: () => void remove(row),
                      },
                    ],
            }
          : {})}
        columns={[
          {
            key: 'day',
            title: t('rates.fields.day'),
            strong: true,
            cell: (row) => <Num>{formatDay(row.day)}</Num>,
            phone: 'title',
          },
          {
            key: 'rate',
            title: t('rates.fields.rate'),
            align: 'amount',
            cell: (row) => <Num>{even(row.rate)}</Num>,
            phone: 'amount',
          },
          {
            key: 'source',
            title: t('rates.fields.source'),
            cell: (row) => t(`rates.source.${row.source}`),
            phone: 'line',
          },
        ]}
      />
      {(older ?? data)?.more && (
        <div className="rt-more">
          <Button kind="quiet" onPress={() => void goOn()}>
            {t('rates.more')}
          </Button>
        </div>
      )}
    </div>
  )
}

function AddDialog({
  currency: first,
  onClose,
  onKept,
}: {
  currency: string
  onClose: () => void
  onKept: (currency: string) => void
}) {
  const t = useWords()
  const [currency, setCurrency] = useState<string | null>(first)
  const [day, setDay] = useState<string | null>(() => dayInJerusalem(new Date()))
  const [rate, setRate] = useState('')
  const save = async () => {
    await call(keepRate, { currency: currency ?? '', day: day ?? '', rate: rate.trim().replace(',', '.') })
    await refresh()
    onKept(currency!)
    banner.success(t('rates.saved'))
    onClose()
  }
  return (
    <FormDialog
      title={t('rates.add')}
      verb={t('kit.forms.save')}
      names={['currency', 'day', 'rate']}
      onClose={onClose}
      onSubmit={save}
    >
      {(error) => (
        <>
          <CurrencyField
            label={t('rates.fields.currency')}
            value={currency}
            onChange={setCurrency}
            {...error('currency', currency)}
          />
          <DayField label={t('rates.fields.day')} value={day} onChange={setDay} {...error('day', day)} />
          <TextField
            label={t('rates.fields.rate')}
            hint={t('rates.rateHint')}
            ltr
            inputMode="decimal"
            autoFocus
            value={rate}
            onChange={setRate}
            {...error('rate', rate)}
          />
        </>
      )}
    </FormDialog>
  )
}

type Found = Awaited<ReturnType<typeof look>>
const look = (bytes: File, currency: string | null) =>
  call(importRates, { bytes, look: 'true', ...(currency ? { currency } : {}) })

/** Reads the file first and says what is in it; keeps it when asked to. */
function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [file, setFile] = useState<File | null>(null)
  const [currency, setCurrency] = useState<string | null>(null)
  const [found, setFound] = useState<Found>()
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const needsCurrency =
    currency !== null || (failure as { code?: string } | undefined)?.code === 'rates.needCurrency'
  const read = async (next: File | null, of: string | null) => {
    setFile(next)
    setCurrency(of)
    setFound(undefined)
    setFailure(undefined)
    if (!next) return
    setBusy(true)
    try {
      setFound(await look(next, of))
    } catch (e) {
      setFailure(e)
    }
    setBusy(false)
  }
  const keep = async () => {
    setBusy(true)
    try {
      const kept = await call(importRates, { bytes: file!, look: 'false', ...(currency ? { currency } : {}) })
      await refresh()
      banner.success(t('rates.imported', { count: t('rates.count', { count: kept.count }) }))
      onClose()
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={t('rates.import')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" busy={busy} isDisabled={!found} onPress={() => void keep()}>
            {t('rates.importDo')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FileField
          label={t('rates.file')}
          hint={t('rates.fileHint')}
          accept=".csv,.xlsx,.txt"
          limit={5 * 1024 * 1024}
          value={file}
          onChange={(next) => void read(next, null)}
        />
        {needsCurrency && (
          <CurrencyField
            label={t('rates.currencyOfFile')}
            value={currency}
            onChange={(of) => of && void read(file, of)}
          />
        )}
        {failure !== undefined && <Note tone="late">{failureText(t, failure)}</Note>}
        {found && (
          <>
            <p>
              {t('rates.found', {
                count: t('rates.count', { count: found.count }),
                currencies: found.currencies.join(', '),
                from: formatDay(found.from),
                to: formatDay(found.to),
              })}
            </p>
            {found.skipped > 0 && <Note tone="wait">{t('rates.skipped', { count: found.skipped })}</Note>}
            <ul className="rt-sample">
              {found.sample.map((one) => (
                <li key={`${one.currency}${one.day}`}>
                  <Num>{formatDay(one.day)}</Num>
                  <Num>{one.currency}</Num>
                  <Num>{even(one.rate)}</Num>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}
