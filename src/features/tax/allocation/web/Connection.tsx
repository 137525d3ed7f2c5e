import { ListPlus, PackagePlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { documentName } from '#features/sales/documents/web/index.tsx'
import {
  addStock,
  connect,
  dropStock,
  fetchStock,
  getConnection,
  listMissing,
  listStock,
  renew,
  returned,
  revoke,
  type Connection,
  type StockRow,
} from '../endpoints.ts'
import './allocation.css'
import { AuthorityPage, type Service } from './AuthorityPage.tsx'

const service: Service = {
  words: 'allocation',
  screen: 'israelTax',
  connection: getConnection,
  connect,
  returned,
  renew,
  revoke,
  stale: [getConnection, listMissing],
}
const fetchCount = 10

/** The connection to the authority, and the emergency numbers it gave. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const change = may('allocation.change')
  return (
    <AuthorityPage<Connection>
      of={service}
      may={{ see: may('allocation.see'), change }}
      off={
        <Button size="s" href="/invoice/missingisraeltax">
          {t('screens.missingIsraelTax')}
        </Button>
      }
      beside={({ waiting }) =>
        waiting > 0 && (
          <Button kind="soft" href="/invoice/missingisraeltax">
            {t('allocation.link.waiting')}: {waiting}
          </Button>
        )
      }
    >
      {(data) => <Stock of={data} change={change} />}
    </AuthorityPage>
  )
}

function Stock({ of, change }: { of: Connection; change: boolean }) {
  const t = useWords()
  const [adding, setAdding] = useState(false)
  const { data } = useCall(listStock, {})
  const onError = (e: unknown) => void banner.error(failureText(t, e))
  const touched = [listStock, getConnection]
  const onAdded = ({ added }: { added: number }) => {
    setAdding(false)
    banner.success(t('allocation.stock.added', { count: added }))
  }
  const bring = useSend(fetchStock, { refresh: touched, onError, onSuccess: onAdded })
  const drop = useSend(dropStock, {
    refresh: touched,
    onError,
    onSuccess: () => void banner.success(t('allocation.saved')),
  })
  const rows = data?.rows ?? []
  const state = (row: StockRow) => (row.reportedAt ? 'isReported' : row.usedAt ? 'isUsed' : 'isLeft')
  return (
    <Card
      title={t('allocation.stock.title')}
      end={
        change && (
          <div className="al-acts">
            {of.state === 'connected' && (
              <Button
                size="s"
                icon={PackagePlus}
                busy={bring.isPending}
                onPress={() => bring.mutate({ count: fetchCount })}
              >
                {t('allocation.stock.fetch', { count: fetchCount })}
              </Button>
            )}
            <Button size="s" icon={ListPlus} onPress={() => setAdding(true)}>
              {t('allocation.stock.add')}
            </Button>
          </div>
        )
      }
    >
      <div className="al-page">
        <p>{t('allocation.stock.text')}</p>
        {(of.stock.left > 0 || of.stock.used > 0) && (
          <Figures label={t('allocation.stock.title')}>
            <Figure size="s" label={t('allocation.stock.left')} value={<Num>{of.stock.left}</Num>} />
            <Figure size="s" label={t('allocation.stock.used')} value={<Num>{of.stock.used}</Num>} />
            <Figure size="s" label={t('allocation.stock.toReport')} value={<Num>{of.stock.toReport}</Num>} />
          </Figures>
        )}
        {rows.length > 0 && (
          <DataTable
            label={t('allocation.stock.title')}
            rows={rows}
            rowKey={(row) => row.number}
            rowName={(row) => row.number.slice(-9)}
            rowHref={(row) => (row.documentId ? `/invoice/preview/${row.documentId}` : undefined)}
            menu={(row) =>
              change && !row.usedAt
                ? [
                    {
                      key: 'drop',
                      label: t('allocation.stock.drop'),
                      icon: Trash2,
                      tone: 'danger',
                      onPress: () => drop.mutate({ number: row.number }),
                    },
                  ]
                : []
            }
            columns={[
              {
                key: 'number',
                title: t('allocation.number'),
                strong: true,
                width: 'fit',
                phone: 'title',
                cell: (row) => <Num>{row.number.slice(-9)}</Num>,
              },
              {
                key: 'document',
                title: t('allocation.col.document'),
                width: 'trim',
                phone: 'line',
                cell: (row) =>
                  row.documentType ? documentName(t, row.documentType, row.documentNumber) : '',
              },
              {
                key: 'used',
                title: t('allocation.col.day'),
                width: 'fit',
                phone: 'line',
                cell: (row) => <Num>{formatMoment(new Date(row.usedAt ?? row.addedAt))}</Num>,
              },
              {
                key: 'state',
                title: t('allocation.col.state'),
                width: 'fit',
                phone: 'state',
                cell: (row) => (
                  <StatusPill tone={row.reportedAt ? 'done' : row.usedAt ? 'wait' : 'plain'}>
                    {t(`allocation.stock.${state(row)}`)}
                  </StatusPill>
                ),
              },
            ]}
          />
        )}
      </div>
      {adding && <Add onClose={() => setAdding(false)} onAdded={onAdded} />}
    </Card>
  )
}

function Add({ onClose, onAdded }: { onClose: () => void; onAdded: (made: { added: number }) => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  const save = useSend(addStock, { refresh: [listStock, getConnection], onSuccess: onAdded })
  const numbers = text.split(/[\n,;]+/).filter((line) => line.trim())
  return (
    <FormDialog
      title={t('allocation.stock.add')}
      verb={t('allocation.save')}
      isDisabled={!numbers.length}
      names={['numbers']}
      onClose={onClose}
      onSubmit={() => save.mutateAsync({ numbers })}
    >
      {(refusal) => (
        <LongText
          autoFocus
          rows={6}
          label={t('allocation.stock.paste')}
          value={text}
          onChange={setText}
          {...refusal('numbers', text)}
        />
      )}
    </FormDialog>
  )
}
