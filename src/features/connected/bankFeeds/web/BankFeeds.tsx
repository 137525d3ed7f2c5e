import { FileInput, Landmark, Plus, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { KeptPlace } from '#kit/web/parts/KeptPlace.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeFeed, createFeed, dropFeed, listFeedFiles, listFeeds, type Feed } from '../endpoints.ts'
import './bankFeeds.css'

const refresh = () =>
  Promise.all(
    [listFeeds, listFeedFiles].map((one) => queryClient.invalidateQueries({ queryKey: keyOf(one) })),
  )

/** Connections through which files of a bank arrive automatically. */
export function Screen() {
  const t = useWords()
  const [adding, setAdding] = useState(false)
  const [shown, setShown] = useState<Feed>()
  const [dropping, setDropping] = useState<Feed>()
  const { data, error, isLoading, refetch } = useCall(listFeeds, {}, { staleTime: 0 })
  const rows = data?.rows ?? []
  const turn = async ({ id }: Feed, on: boolean) => {
    try {
      await call(changeFeed, { id, on })
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const add = (
    <Button kind="primary" icon={Plus} onPress={() => setAdding(true)}>
      {t('bankFeeds.add')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('screens.bankFeeds')}
        sub={t('bankFeeds.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={<KeptPlace shown={rows.length > 0}>{add}</KeptPlace>}
      />
      <DataTable
        label={t('screens.bankFeeds')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        loading={isLoading}
        onOpen={setShown}
        isOff={({ state }) => state === 'off'}
        menu={(row) => [
          row.state === 'on'
            ? { key: 'off', label: t('bankFeeds.turnOff'), icon: Power, onPress: () => void turn(row, false) }
            : { key: 'on', label: t('bankFeeds.turnOn'), icon: Power, onPress: () => void turn(row, true) },
          {
            key: 'drop',
            label: t('bankFeeds.drop'),
            icon: Trash2,
            tone: 'danger',
            onPress: () => setDropping(row),
          },
        ]}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={FileInput} title={t('bankFeeds.empty.title')} actions={add}>
              {t('bankFeeds.empty.text')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'name',
            title: t('bankFeeds.fields.name'),
            strong: true,
            width: '30%',
            cell: (row) => <TextCell value={row.name} />,
            phone: 'title',
          },
          {
            key: 'account',
            title: t('bankFeeds.fields.bankAccountId'),
            width: 'trim',
            cell: (row) => <TextCell value={row.bankAccount} />,
            phone: 'line',
          },
          {
            key: 'lastAt',
            title: t('bankFeeds.fields.lastAt'),
            width: 'fit',
            cell: (row) =>
              row.lastAt ? (
                <Num>{formatMoment(new Date(row.lastAt))}</Num>
              ) : (
                <span className="hint">{t('bankFeeds.never')}</span>
              ),
          },
          {
            key: 'waits',
            title: t('bankFeeds.fields.waits'),
            width: 'fit',
            align: 'amount',
            cell: (row) => row.waits > 0 && <Num>{row.waits}</Num>,
          },
          {
            key: 'state',
            title: t('bankFeeds.fields.state'),
            width: 'fit',
            cell: (row) => (
              <StatusPill tone={row.state === 'on' ? 'done' : 'plain'}>
                {t(`bankFeeds.state.${row.state}`)}
              </StatusPill>
            ),
            phone: 'state',
          },
        ]}
      />
      {adding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onMade={async (made) => {
            await refresh()
            setAdding(false)
            setShown(made)
          }}
        />
      )}
      {shown && <FeedSheet of={shown} onClose={() => setShown(undefined)} />}
      <Question
        isOpen={dropping !== undefined}
        onClose={() => setDropping(undefined)}
        title={t('bankFeeds.dropAsk', { name: dropping?.name ?? '' })}
        verb={t('bankFeeds.drop')}
        danger
        onConfirm={async () => {
          try {
            await call(dropFeed, { id: dropping!.id })
            await refresh()
            setDropping(undefined)
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('bankFeeds.dropText')}
      </Question>
    </>
  )
}

function AddDialog({ onClose, onMade }: { onClose: () => void; onMade: (made: Feed) => Promise<void> }) {
  const t = useWords()
  const [name, setName] = useState('')
  const [account, setAccount] = useState<Option | null>(null)
  return (
    <FormDialog
      title={t('bankFeeds.add')}
      verb={t('bankFeeds.add')}
      names={['name', 'bankAccountId']}
      onClose={onClose}
      onSubmit={async () => onMade(await call(createFeed, { name, bankAccountId: account?.key ?? '' }))}
    >
      {(error) => (
        <>
          <TextField
            label={t('bankFeeds.fields.name')}
            value={name}
            max={80}
            onChange={setName}
            {...error('name', name)}
          />
          <RefField
            label={t('bankFeeds.fields.bankAccountId')}
            value={account}
            onChange={setAccount}
            search={searchIn(resourceNamed('bankaccounts')!)}
            {...error('bankAccountId', account)}
          />
        </>
      )}
    </FormDialog>
  )
}

const tones: Record<'taken' | 'nothing' | 'waits' | 'refused', StatusTone> = {
  taken: 'done',
  nothing: 'plain',
  waits: 'wait',
  refused: 'wait',
}

function FeedSheet({ of, onClose }: { of: Feed; onClose: () => void }) {
  const t = useWords()
  const { data, error, isLoading, refetch } = useCall(
    listFeedFiles,
    { id: of.id },
    { staleTime: 0, refetchInterval: 5000 },
  )
  return (
    <SideSheet
      isOpen
      size="l"
      onClose={onClose}
      title={of.name}
      actions={
        <Button icon={Landmark} href={`/invoice/banklist/${of.bankAccountId}`}>
          {t('bankFeeds.toBank')}
        </Button>
      }
    >
      <div className="bf-form">
        <section>
          <h3>{t('bankFeeds.address')}</h3>
          <p>{t('bankFeeds.addressText')}</p>
          <pre className="bf-code" dir="ltr" data-address>
            {`curl -H "content-type: application/octet-stream" --data-binary @statement.csv "${of.address}?name=statement.csv"`}
          </pre>
        </section>
        <section>
          <h3>{t('bankFeeds.folder')}</h3>
          <p>{t('bankFeeds.folderText')}</p>
          <pre className="bf-code" dir="ltr">
            {of.folder}
          </pre>
        </section>
        <DataTable
          label={t('bankFeeds.files')}
          rows={data?.rows ?? []}
          rowKey={(row) => row.id}
          rowName={(row) => row.name}
          loading={isLoading}
          empty={
            error ? (
              <Failed error={error} onRetry={refetch} />
            ) : (
              <EmptyState icon={FileInput} title={t('bankFeeds.noFiles.title')}>
                {t('bankFeeds.noFiles.text')}
              </EmptyState>
            )
          }
          columns={[
            {
              key: 'name',
              title: t('bankFeeds.fields.file'),
              strong: true,
              width: 'trim',
              cell: (row) => <TextCell value={row.name} />,
              phone: 'title',
            },
            {
              key: 'at',
              title: t('bankFeeds.fields.at'),
              width: 'fit',
              cell: (row) => <Num>{formatMoment(new Date(row.at))}</Num>,
              phone: 'line',
            },
            {
              key: 'lines',
              title: t('bankFeeds.fields.lines'),
              width: 'fit',
              align: 'amount',
              cell: (row) => row.lines > 0 && <Num>{row.lines}</Num>,
            },
            {
              key: 'outcome',
              title: t('bankFeeds.fields.outcome'),
              width: 'fit',
              cell: (row) => (
                <StatusPill tone={tones[row.outcome]}>{t(`bankFeeds.outcome.${row.outcome}`)}</StatusPill>
              ),
              phone: 'state',
            },
          ]}
        />
      </div>
    </SideSheet>
  )
}
