import { BadgePercent, Copy } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { call, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { CardScreen } from '#kit/web/screens/CardScreen.tsx'
import type { CardTab } from '#kit/web/screens/cardTabs.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { refreshResource, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { LastChanges, PriceChange, takeBack } from '#features/registers/items/web/index.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { changeLines, copyList, lineChanges, previewLines, undoLineChange } from '../endpoints.ts'
import { priceListLines, priceLists, type PriceListRow } from '../priceLists.ts'
import './dress.tsx'
import { ruleText } from './words.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'

const tabs: CardTab[] = [
  {
    key: 'buyers',
    word: 'priceLists.buyers.title',
    rule: customers.allow.see,
    order: 20,
    Panel: lazy(() => fetchPart(() => import('./Buyers.tsx')).then(({ Panel }) => ({ default: Panel }))),
  },
]

/** One list: its rule, its prices, and who buys by it. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { params } = usePlace()
  const id = params.listid ?? ''
  const path = `/invoice/pricelist/${id}`
  return (
    <CardScreen
      key={id}
      resource={priceLists}
      id={id}
      tab={params.tab ?? ''}
      tabHref={(tab) => (tab === 'details' ? path : `${path}/${tab}`)}
      tabs={tabs.filter(({ rule }) => !rule || may(rule))}
      sub={(row) => ruleText(t, row as AnyRow & PriceListRow)}
      actions={(row) => <Deeds row={row as AnyRow & PriceListRow} />}
      elsewhere={['currency', 'base', 'baseListId', 'changeBp']}
      above={(row) => <ListScreen embedded archive resource={priceListLines} fixed={{ listId: row.id }} />}
    />
  )
}

function Deeds({ row }: { row: AnyRow & PriceListRow }) {
  const t = useWords()
  const may = useCan()
  const session = useSession()
  const [open, setOpen] = useState<'copy' | 'change'>()
  if (!may(priceLists.allow.change)) return null
  return (
    <>
      <Button icon={Copy} label={t('priceLists.copy')} kind="quiet" onPress={() => setOpen('copy')} />
      {Number(row.lineCount) > 0 && !session?.HideTotalPrices && (
        <Button icon={BadgePercent} onPress={() => setOpen('change')}>
          {t('items.changePrices')}
        </Button>
      )}
      {open === 'copy' && <CopyDialog row={row} onClose={() => setOpen(undefined)} />}
      {open === 'change' && (
        <Suspense>
          <ListPrices id={row.id} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** All prices of the list at once; the last changes are listed below and can be undone. */
function ListPrices({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const { data } = useCall(lineChanges, { id }, { staleTime: 0 })
  const refresh = () =>
    Promise.all([
      refreshResource(priceListLines),
      refreshResource(priceLists),
      queryClient.invalidateQueries({ queryKey: keyOf(lineChanges) }),
    ])
  const undo = (changeId: string) => void takeBack(t, () => call(undoLineChange, { id, changeId }), refresh)
  return (
    <PriceChange
      title={t('items.changePrices')}
      what={id}
      preview={(wanted, signal) => call(previewLines, { id, ...wanted }, { signal })}
      apply={async (wanted) => {
        const { id: changeId, changed } = await call(changeLines, { id, ...wanted })
        await refresh()
        toast(t('items.priceChange.done', { count: changed }), () => undo(changeId))
      }}
      onClose={onClose}
    >
      <LastChanges rows={data?.rows ?? []} onUndo={undo} />
    </PriceChange>
  )
}

function CopyDialog({ row, onClose }: { row: AnyRow & PriceListRow; onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState(
    t('priceLists.copyOf', { name: String(row.name) }).replace(/[\u2068\u2069]/g, ''),
  )
  const save = async () => {
    const { id } = await call(copyList, { id: row.id, name })
    await refreshResource(priceLists)
    onClose()
    go(`/invoice/pricelist/${id}`)
  }
  return (
    <FormDialog
      title={t('priceLists.copy')}
      verb={t('priceLists.copy')}
      names={['name']}
      onClose={onClose}
      onSubmit={save}
    >
      {(error) => (
        <TextField
          label={t('priceLists.fields.name')}
          autoFocus
          max={100}
          value={name}
          onChange={setName}
          {...error('name', name)}
        />
      )}
    </FormDialog>
  )
}
