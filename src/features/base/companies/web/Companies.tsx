import { ArrowLeftRight, Building2, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FilterBar } from '#kit/web/parts/FilterBar.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { matches } from '#kit/web/parts/matches.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { businessKindNames } from '../company.ts'
import { addCompany, myCompanies, type MyCompany } from '../endpoints.ts'
import './companies.css'
import { switchTo } from './switch.ts'
import { useSwitch } from './useSwitch.tsx'

type Kind = (typeof businessKindNames)[number]

/** The businesses of a person: go into one, open another. */
export function Screen() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const way = useSwitch()
  const [search, setSearch] = useState('')
  const { data, error, isLoading, refetch } = useCall(myCompanies, {})
  const rows = data?.rows ?? []
  const shown = rows.filter(
    (row) => search.trim() === '' || matches(`${row.name} ${row.taxId} ${row.number}`, search),
  )
  const open = (row: MyCompany) => (row.current ? go('/invoice/InvoiceEditCompany') : way.go(row))
  return (
    <>
      <PageHeader
        title={t('screens.companies')}
        sub={t('companies.mine.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={
          <Button kind="primary" icon={Plus} onPress={() => setQuery({ add: '1' })}>
            {t('companies.add.title')}
          </Button>
        }
      />
      {rows.length > 7 && (
        <FilterBar search={search} onSearch={setSearch} placeholder={t('companies.switch.find')} />
      )}
      <DataTable
        label={t('screens.companies')}
        main
        rows={shown}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        loading={isLoading}
        onOpen={open}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState icon={Building2} title={t('kit.lists.noneFit')} />
          )
        }
        menu={(row) =>
          row.current
            ? [
                {
                  key: 'edit',
                  label: t('companies.mine.edit'),
                  icon: Pencil,
                  href: '/invoice/InvoiceEditCompany',
                },
              ]
            : [
                {
                  key: 'switch',
                  label: t('companies.switch.to', { name: row.name }),
                  icon: ArrowLeftRight,
                  onPress: () => way.go(row),
                },
              ]
        }
        columns={[
          {
            key: 'name',
            title: t('companies.fields.name'),
            strong: true,
            width: 'trim',
            cell: (row) => (
              <span className="co-name">
                <bdi title={row.name}>{row.name}</bdi>
                {row.current && <StatusPill tone="done">{t('companies.mine.here')}</StatusPill>}
                {row.demo && (
                  <StatusPill tone="info">
                    {t(row.test ? 'companies.mine.test' : 'companies.mine.demo')}
                  </StatusPill>
                )}
              </span>
            ),
            phone: 'title',
          },
          {
            key: 'taxId',
            title: t('companies.mine.taxId'),
            width: 'fit',
            cell: (row) => <Num>{row.taxId}</Num>,
            phone: 'line',
          },
          {
            key: 'kind',
            title: t('companies.fields.kind'),
            width: 'fit',
            cell: (row) => t(`companies.kind.${row.kind}`),
            phone: 'line',
          },
          {
            key: 'plan',
            title: t('companies.mine.plan'),
            width: '18%',
            cell: (row) => (
              <TextCell
                quiet
                value={[
                  row.plan ?? t('companies.mine.trial'),
                  ...row.modules.map((id) => t(`modules.byNumber.${id}`)),
                ].join(' · ')}
              />
            ),
          },
          {
            key: 'role',
            title: t('companies.mine.role'),
            width: 'fit',
            cell: (row) => t(`companies.role.${row.TypeID}`),
          },
          {
            key: 'usedAt',
            title: t('companies.mine.usedAt'),
            width: 'fit',
            cell: (row) => (row.usedAt ? <Num>{formatMoment(new Date(row.usedAt))}</Num> : '–'),
          },
          {
            key: 'number',
            title: t('companies.mine.number'),
            width: 'fit',
            cell: (row) => (
              <span className="hint">
                <Num>{row.number}</Num>
              </span>
            ),
          },
        ]}
      />
      {way.question}
      {query.add && <AddCompany onClose={() => setQuery({ add: undefined })} />}
    </>
  )
}

function AddCompany({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind | null>(null)
  const [taxId, setTaxId] = useState('')
  const add = async () => {
    const { id } = await call(addCompany, { name, kind: kind as Kind, taxId })
    await queryClient.invalidateQueries({ queryKey: keyOf(myCompanies) })
    await switchTo(id, '/invoice/main')
  }
  return (
    <FormDialog
      title={t('companies.add.title')}
      verb={t('companies.add.do')}
      names={['name', 'kind', 'taxId']}
      onClose={onClose}
      onSubmit={add}
    >
      {(error) => (
        <>
          <p className="sub">{t('companies.add.text')}</p>
          <TextField
            label={t('companies.fields.name')}
            value={name}
            onChange={setName}
            max={120}
            autoFocus
            hint={t('companies.hints.name')}
            {...error('name', name)}
          />
          <ChoiceField
            label={t('companies.fields.kind')}
            value={kind}
            onChange={setKind}
            choices={businessKindNames.map((value) => ({ value, label: t(`companies.kind.${value}`) }))}
            {...error('kind', kind)}
          />
          <TaxIdField
            label={t('companies.fields.taxId')}
            value={taxId}
            onChange={setTaxId}
            {...error('taxId', taxId)}
          />
        </>
      )}
    </FormDialog>
  )
}
