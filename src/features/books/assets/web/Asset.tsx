import { BookOpenCheck, PackageX, Pencil, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { dayInJerusalem, yearOf } from '#domain/day.ts'
import { formatDay, formatPercent } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { refreshResource, resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { fixedAssets } from '../assets.ts'
import { assetPage, disposeAsset, listRuns, openAsset, undisposeAsset } from '../endpoints.ts'
import './assets.css'
import './dress.tsx'

type Page = OutputOf<typeof assetPage>
type Year = Page['years'][number]
type Line = Page['entries'][number]

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(assetPage) }),
    queryClient.invalidateQueries({ queryKey: keyOf(listRuns) }),
    refreshResource(fixedAssets),
  ])

/** One asset: what it is, what it loses year by year, and what is done with it at its end. */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const id = params.assetid!
  const { data, error, refetch } = useCall(assetPage, { id })
  useTitle(data?.name ?? t('fixedassets.one'))
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  return data ? <Asset id={id} asset={data} /> : <Skeleton lines={8} />
}

function Asset({ id, asset }: { id: string; asset: Page }) {
  const t = useWords()
  const may = useCan()('assets.change')
  const [doing, setDoing] = useState<'edit' | 'dispose' | 'undispose' | 'open'>()
  const close = () => setDoing(undefined)
  const { data: record } = useRecord(fixedAssets, id)
  const isOver = asset.disposal !== null
  const mayOpen = may && !asset.expenseId && !asset.openingPosted && !isOver && !asset.archived
  const lacks = isOver ? 0 : asset.wornAgorot - asset.postedAgorot
  return (
    <div className="as-stack">
      <PageHeader
        title={asset.name}
        status={asset.disposal && <StatusPill>{t(`fixedassets.state.${asset.disposal}`)}</StatusPill>}
        crumbs={[{ label: t('fixedassets.title'), href: fixedAssets.screens.list }]}
        actions={
          may &&
          !asset.archived && (
            <>
              {!isOver && (
                <Button kind="quiet" icon={Pencil} onPress={() => setDoing('edit')}>
                  {t('kit.lists.edit')}
                </Button>
              )}
              {mayOpen && (
                <Button icon={BookOpenCheck} onPress={() => setDoing('open')}>
                  {t('assets.open.verb')}
                </Button>
              )}
              {isOver ? (
                <Button icon={Undo2} onPress={() => setDoing('undispose')}>
                  {t('assets.undispose.verb')}
                </Button>
              ) : (
                <Button icon={PackageX} onPress={() => setDoing('dispose')}>
                  {t('assets.dispose.verb')}
                </Button>
              )}
            </>
          )
        }
      />
      <Figures label={t('assets.figures')}>
        <Figure label={t('fixedassets.fields.costAgorot')} amount={asset.costAgorot} exact />
        <Figure label={t('fixedassets.fields.wornAgorot')} amount={asset.wornAgorot} exact />
        <Figure
          label={t('fixedassets.fields.leftAgorot')}
          amount={isOver ? 0 : asset.costAgorot - asset.wornAgorot}
          exact
          tone="result"
        />
        {asset.gainAgorot !== null && (
          <Figure
            label={t(asset.gainAgorot < 0 ? 'assets.loss' : 'assets.gain')}
            amount={Math.abs(asset.gainAgorot)}
            exact
          />
        )}
      </Figures>
      {lacks !== 0 && !asset.archived && (
        <Note
          tone="info"
          action={
            <Button size="s" href="/invoice/depreciation">
              {t('screens.depreciation')}
            </Button>
          }
        >
          {t('assets.notPosted')} <MoneyCell value={lacks} />
        </Note>
      )}
      <Card title={t('assets.facts')}>
        <Facts asset={asset} />
      </Card>
      <Card title={t('assets.plan')} flush>
        <DataTable
          label={t('assets.plan')}
          rows={asset.years}
          rowKey={(row) => String(row.year)}
          rowName={(row) => String(row.year)}
          density="compact"
          isSum={(row) => row.year === yearOf(dayInJerusalem(new Date()))}
          columns={[
            {
              key: 'year',
              title: t('assets.year'),
              strong: true,
              width: 'fit',
              phone: 'title',
              cell: (row) => <Num>{row.year}</Num>,
            },
            amount(
              'depreciationAgorot',
              t('assets.columns.depreciation'),
              (row: Year) => row.depreciationAgorot,
              'amount',
            ),
            amount('wornAgorot', t('fixedassets.fields.wornAgorot'), (row: Year) => row.wornAgorot),
            amount('leftAgorot', t('fixedassets.fields.leftAgorot'), (row: Year) => row.leftAgorot, 'line'),
            amount('postedAgorot', t('assets.columns.posted'), (row: Year) => row.postedAgorot),
          ]}
        />
      </Card>
      {asset.entries.length > 0 && (
        <Card title={t('assets.entries')} flush>
          <DataTable
            label={t('assets.entries')}
            rows={asset.entries.map((row, i) => ({ ...row, key: `${row.entryId}${i}` }))}
            rowKey={(row) => row.key}
            rowName={(row) => row.account}
            rowHref={(row) => `/invoice/cardskarteset/${row.accountId}`}
            density="dense"
            columns={[
              {
                key: 'day',
                title: t('assets.columns.day'),
                width: 'fit',
                phone: 'line',
                cell: (row) => <Num>{formatDay(row.day)}</Num>,
              },
              {
                key: 'kind',
                title: t('assets.columns.entry'),
                width: 'fit',
                cell: (row) => t(`ledger.kinds.${row.kind}`),
              },
              {
                key: 'account',
                title: t('fixedassets.fields.accountId'),
                strong: true,
                width: 'trim',
                phone: 'title',
                cell: (row) => <bdi>{row.account}</bdi>,
              },
              amount('debit', t('assets.columns.debit'), (row: Line) => row.debitAgorot, 'amount'),
              amount('credit', t('assets.columns.credit'), (row: Line) => row.creditAgorot),
            ]}
          />
        </Card>
      )}
      {doing === 'edit' && record && (
        <RecordSheet
          resource={fixedAssets}
          record={record}
          onClose={close}
          onSaved={() => {
            close()
            void refresh()
          }}
        />
      )}
      {doing === 'dispose' && <Dispose id={id} asset={asset} onClose={close} />}
      <Question
        isOpen={doing === 'open'}
        onClose={close}
        title={t('assets.open.title')}
        verb={t('assets.open.verb')}
        onConfirm={() => deed(t, () => call(openAsset, { id }), t('assets.open.done'))}
      >
        {t('assets.open.text')}
      </Question>
      <Question
        isOpen={doing === 'undispose'}
        onClose={close}
        title={t('assets.undispose.title')}
        verb={t('assets.undispose.verb')}
        onConfirm={() => deed(t, () => call(undisposeAsset, { id }), t('assets.undispose.done'))}
      >
        {t('assets.undispose.text')}
      </Question>
    </div>
  )
}

async function deed(
  t: ReturnType<typeof useWords>,
  work: () => Promise<unknown>,
  done: string,
): Promise<void> {
  try {
    await work()
    await refresh()
    banner.success(done)
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

const amount = <R,>(key: string, title: string, of: (row: R) => number, phone?: 'amount' | 'line') => ({
  key,
  title,
  align: 'amount' as const,
  ...(phone ? { phone } : {}),
  cell: (row: R) => <MoneyCell value={of(row)} />,
})

function Facts({ asset }: { asset: Page }) {
  const t = useWords()
  const { lang } = useLanguage()
  const fact = (label: string, value: ReactNode) => (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
  return (
    <dl className="as-facts">
      {fact(t('fixedassets.fields.kind'), t(`fixedassets.kind.${asset.kind}`))}
      {fact(
        t('fixedassets.fields.accountId'),
        <Link className="link aim" href={`/invoice/cardskarteset/${asset.accountId}`}>
          <bdi>{asset.accountName}</bdi>
        </Link>,
      )}
      {fact(t('fixedassets.fields.startDay'), <Num>{formatDay(asset.startDay)}</Num>)}
      {fact(
        t('fixedassets.fields.depreciationBp'),
        <>
          <bdi>{formatPercent(asset.depreciationBp, lang)}</bdi>
          {asset.rateReason && (
            <span className="hint">
              {' '}
              <bdi>{asset.rateReason}</bdi>
            </span>
          )}
        </>,
      )}
      {asset.lawfulBp !== null &&
        asset.lawfulBp !== asset.depreciationBp &&
        fact(t('assets.lawful'), <bdi>{formatPercent(asset.lawfulBp, lang)}</bdi>)}
      {asset.supplierName && fact(t('fixedassets.fields.supplierId'), <bdi>{asset.supplierName}</bdi>)}
      {asset.expenseId &&
        fact(
          t('fixedassets.fields.expenseId'),
          <Link className="link aim" href={`/invoice/Expenses/all/${asset.expenseId}`}>
            <bdi>{asset.expenseNumber || t('assets.toExpense')}</bdi>
          </Link>,
        )}
      {asset.openingDay && fact(t('fixedassets.fields.openingDay'), <Num>{formatDay(asset.openingDay)}</Num>)}
      {asset.openingDay &&
        fact(
          t('fixedassets.fields.openingWornAgorot'),
          <MoneyCell value={asset.openingWornAgorot} zero="show" />,
        )}
      {asset.disposedDay &&
        fact(t('fixedassets.fields.disposedDay'), <Num>{formatDay(asset.disposedDay)}</Num>)}
      {asset.disposal === 'sold' &&
        fact(t('assets.dispose.proceeds'), <MoneyCell value={asset.proceedsAgorot} zero="show" />)}
    </dl>
  )
}

function Dispose({ id, asset, onClose }: { id: string; asset: Page; onClose: () => void }) {
  const t = useWords()
  const accounts = resourceNamed('accounts')
  const [how, setHow] = useState<'sold' | 'scrapped'>('sold')
  const [date, setDate] = useState<string | null>(() => dayInJerusalem(new Date()))
  const [proceeds, setProceeds] = useState<number | null>(null)
  const [account, setAccount] = useState<Option | null>(null)
  const save = async () => {
    const sale =
      how === 'sold' ? { proceedsAgorot: proceeds ?? 0, ...(account ? { accountId: account.key } : {}) } : {}
    const { gainAgorot } = await call(disposeAsset, { id, how, date: date ?? '', ...sale })
    await refresh()
    banner.success(t(gainAgorot < 0 ? 'assets.dispose.doneLoss' : 'assets.dispose.done'))
    onClose()
  }
  return (
    <FormDialog
      title={t('assets.dispose.title', { name: asset.name })}
      verb={t('assets.dispose.do')}
      names={['date', 'proceedsAgorot', 'accountId']}
      onClose={onClose}
      onSubmit={save}
    >
      {(refusal) => (
        <>
          <ChoiceField
            label={t('assets.dispose.how')}
            value={how}
            onChange={(next) => next && setHow(next)}
            choices={(['sold', 'scrapped'] as const).map((value) => ({
              value,
              label: t(`assets.dispose.${value}`),
            }))}
          />
          <DayField
            label={t('assets.dispose.date')}
            hint={t('assets.dispose.dateHint')}
            value={date}
            onChange={setDate}
            {...refusal('date', date)}
          />
          {how === 'sold' && (
            <>
              <MoneyField
                label={t('assets.dispose.proceeds')}
                hint={t('assets.dispose.proceedsHint')}
                value={proceeds}
                onChange={setProceeds}
                {...refusal('proceedsAgorot', proceeds)}
              />
              {accounts && (
                <RefField
                  label={t('assets.dispose.account')}
                  hint={t('assets.dispose.accountHint')}
                  value={account}
                  onChange={setAccount}
                  search={searchIn(accounts)}
                  {...refusal('accountId', account)}
                />
              )}
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
