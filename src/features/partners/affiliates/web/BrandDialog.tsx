import { useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, keyOf, queryClient } from '#kit/web/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { ColorField } from '#kit/web/fields/ColorField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useWords } from '#kit/web/words.tsx'
import { listAffiliates, saveBrand } from '../endpoints.ts'

type List = OutputOf<typeof listAffiliates>
export type Brand = List['brands'][number]

/** The brand of a partner's domain: what people see, who writes to them, what it costs them, and whose it is. */
export function BrandDialog({
  of,
  dealers,
  pages,
  onClose,
}: {
  of: Brand | undefined
  dealers: List['rows']
  pages: List['pages']
  onClose: () => void
}) {
  const t = useWords()
  const [v, setV] = useState({
    domain: of?.domain ?? '',
    name: of?.name ?? '',
    accent: of?.accent ?? '',
    logo: of?.logo ?? '',
    mailName: of?.mailName ?? '',
    mailFrom: of?.mailFrom ?? '',
    supportEmail: of?.supportEmail ?? '',
    dealerId: of?.dealerId ?? null,
    pageIds: of?.pageIds ?? [],
  })
  const put = (change: Partial<typeof v>) => setV((before) => ({ ...before, ...change }))
  return (
    <FormDialog
      title={of?.name ?? t('affiliates.brand.add')}
      verb={t('kit.forms.save')}
      names={['domain', 'name', 'accent', 'logo', 'mailName', 'mailFrom', 'supportEmail', 'dealerId']}
      onClose={onClose}
      onSubmit={async () => {
        await call(saveBrand, v)
        await queryClient.invalidateQueries({ queryKey: keyOf(listAffiliates) })
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('affiliates.brand.domain')}
            hint={t('affiliates.brand.domainHint')}
            ltr
            value={v.domain}
            onChange={(domain) => put({ domain })}
            disabled={of !== undefined}
            max={253}
            {...error('domain', v.domain)}
          />
          <TextField
            label={t('affiliates.brand.name')}
            value={v.name}
            onChange={(name) => put({ name })}
            max={60}
            {...error('name', v.name)}
          />
          <ColorField
            label={t('affiliates.brand.accent')}
            value={v.accent}
            onChange={(accent) => put({ accent })}
            {...error('accent', v.accent)}
          />
          <TextField
            label={t('affiliates.brand.logo')}
            hint={t('affiliates.brand.logoHint')}
            ltr
            optional
            value={v.logo}
            onChange={(logo) => put({ logo })}
            max={200}
            {...error('logo', v.logo)}
          />
          <ChoiceField
            label={t('affiliates.brand.dealer')}
            clearable
            optional
            value={v.dealerId}
            onChange={(dealerId) => put({ dealerId })}
            choices={dealers.map(({ id, name }) => ({ value: id, label: name }))}
            {...error('dealerId', v.dealerId)}
          />
          <TextField
            label={t('affiliates.brand.mailName')}
            optional
            value={v.mailName}
            onChange={(mailName) => put({ mailName })}
            max={120}
            {...error('mailName', v.mailName)}
          />
          <EmailField
            label={t('affiliates.brand.mailFrom')}
            hint={t('affiliates.brand.mailFromHint')}
            optional
            value={v.mailFrom}
            onChange={(mailFrom) => put({ mailFrom })}
            {...error('mailFrom', v.mailFrom)}
          />
          <EmailField
            label={t('affiliates.brand.support')}
            optional
            value={v.supportEmail}
            onChange={(supportEmail) => put({ supportEmail })}
            {...error('supportEmail', v.supportEmail)}
          />
          {pages.length > 0 && <p>{t('affiliates.brand.prices')}</p>}
          {pages.map(({ id, title }) => (
            <FlagField
              key={id}
              label={<bdi>{title}</bdi>}
              value={v.pageIds.includes(id)}
              onChange={(on) => put({ pageIds: on ? [...v.pageIds, id] : v.pageIds.filter((one) => one !== id) })}
            />
          ))}
        </>
      )}
    </FormDialog>
  )
}
