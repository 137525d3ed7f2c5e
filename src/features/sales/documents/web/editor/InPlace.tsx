import { useId, useState, type FormEvent } from 'react'
import { CallFailure, call, fieldErrors, queryClient } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField, TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { PriceField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AbroadFields, homely } from '#features/registers/parties/web/forms.ts'
import { customers, type Customer } from '#features/registers/parties/customers.ts'
import { items, type Item } from '#features/registers/items/items.ts'

interface SheetOf<T> {
  onClose: () => void
  onDone: (row: T) => void
}

/** A refusal that a record of this number is there already names the field; then the other one is offered. */
const takenBy = (failure: unknown, field: string): string | undefined => {
  const error =
    failure instanceof CallFailure
      ? failure.errors.find((one) => one.path === field && one.code === 'fields.taken')
      : undefined
  return error && String(error.params?.name ?? '')
}

/**
 * A customer created in the editor, with the few details an invoice needs; the rest can be added on the card. With
 * `of`, an existing one.
 */
export function CustomerSheet({
  name,
  of,
  hasVat,
  onClose,
  onDone,
}: SheetOf<Customer> & { name: string; of?: string | undefined; hasVat: boolean }) {
  const t = useWords()
  const form = useId()
  const [values, setValues] = useState({
    name,
    taxId: '',
    isDealer: false,
    email: '',
    mobile: '',
    street: '',
    city: '',
    ...homely,
  })
  const [isRead, setRead] = useState(of === undefined)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const put = (change: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...change }))
    setFailure(undefined)
  }
  const other = takenBy(failure, 'taxId')
  if (!isRead) {
    setRead(true)
    void call(callsOf(customers).get, { id: of! })
      .then((row) =>
        put(Object.fromEntries(Object.entries(values).map(([key, empty]) => [key, row[key] ?? empty]))),
      )
      .catch(setFailure)
  }
  const { fields, rest } = failure
    ? fieldErrors(t, failure, Object.keys(values))
    : { fields: {} as Record<string, string>, rest: undefined }
  const done = (row: Customer) => {
    void queryClient.invalidateQueries({ queryKey: [callsOf(customers).list.name] })
    onDone(row)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { create, change } = callsOf(customers)
      // The language is left to the register where nobody chose one.
      const { language, ...others } = values
      const sent = { ...others, ...(language ? { language } : {}) }
      done((of ? await call(change, { id: of, ...sent }) : await call(create, sent)) as unknown as Customer)
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  const takeOther = async () => {
    const { rows } = await call(callsOf(customers).list, { size: 10, q: values.taxId.replace(/\D/g, '') })
    const found =
      rows.find((row) => row.taxId === values.taxId.replace(/\D/g, '').padStart(9, '0')) ?? rows[0]
    if (found) done(found as unknown as Customer)
  }
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      dirty={!of && (values.taxId !== '' || values.email !== '' || values.mobile !== '')}
      title={t(of ? 'documents.editor.customerDetails' : 'documents.editor.newCustomerTitle')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t(of ? 'documents.editor.save' : 'documents.editor.addCustomer')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" onSubmit={(event) => void save(event)} noValidate>
        {rest && <Note tone="late">{rest}</Note>}
        {other !== undefined && (
          <Note
            tone="wait"
            action={
              <Button kind="quiet" size="s" onPress={() => void takeOther()}>
                {t('documents.editor.takeOther')}
              </Button>
            }
          >
            {t('documents.editor.isThere', { name: other })}
          </Note>
        )}
        <TextField
          label={t('customers.fields.name')}
          name="name"
          value={values.name}
          onChange={(value) => put({ name: value })}
          error={fields.name}
          max={200}
          autoFocus={values.name === ''}
        />
        <TaxIdField
          label={t('customers.fields.taxId')}
          name="taxId"
          optional
          autoFocus={values.name !== ''}
          value={values.taxId}
          // A company's number makes its owner a dealer.
          onChange={(taxId) => put({ taxId, ...(/^5[1-8]\d{7}$/.test(taxId) ? { isDealer: true } : {}) })}
          error={other === undefined ? fields.taxId : t('documents.editor.numberTaken')}
        />
        <FlagField
          label={t('customers.fields.isDealer')}
          value={values.isDealer}
          onChange={(isDealer) => put({ isDealer })}
          {...(hasVat ? { hint: t('documents.editor.dealerHint') } : {})}
        />
        <EmailField
          label={t('customers.fields.email')}
          name="email"
          optional
          value={values.email}
          onChange={(email) => put({ email })}
          error={fields.email}
        />
        <PhoneField
          label={t('customers.fields.mobile')}
          name="mobile"
          optional
          value={values.mobile}
          onChange={(mobile) => put({ mobile })}
          error={fields.mobile}
        />
        <TextField
          label={t('customers.fields.street')}
          name="street"
          optional
          value={values.street}
          onChange={(street) => put({ street })}
          error={fields.street}
          max={120}
        />
        <TextField
          label={t('customers.fields.city')}
          name="city"
          optional
          value={values.city}
          onChange={(city) => put({ city })}
          error={fields.city}
          max={80}
        />
        <AbroadFields values={values} put={put} errors={fields} hasVat={hasVat} />
        <button type="submit" hidden />
      </form>
    </SideSheet>
  )
}

/** An item put into the catalogue on the way. */
export function ItemSheet({
  name,
  price,
  hasVat,
  onClose,
  onDone,
}: SheetOf<Item> & { name: string; price: string | null; hasVat: boolean }) {
  const t = useWords()
  const form = useId()
  const [values, setValues] = useState({
    name,
    price: price as string | null,
    unit: '',
    sku: '',
    vatKind: 'beforeVat',
  })
  const put = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }))
  const { busy, rest, error, run, place } = useAction(Object.keys(values), async () => {
    const row = await call(callsOf(items).create, { ...values, price: values.price ?? '0' })
    void queryClient.invalidateQueries({ queryKey: [callsOf(items).list.name] })
    onDone(row as unknown as Item)
  })
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={t('documents.editor.newItemTitle')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t('documents.editor.addItem')}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" ref={place} onSubmit={run} noValidate>
        {rest && <Note tone="late">{rest}</Note>}
        <TextField
          label={t('items.fields.name')}
          name="name"
          value={values.name}
          onChange={(value) => put({ name: value })}
          {...error('name', values.name)}
          max={200}
        />
        <PriceField
          label={t('items.fields.price')}
          name="price"
          value={values.price}
          onChange={(value) => put({ price: value })}
          {...error('price', values.price)}
          autoFocus
        />
        <TextField
          label={t('items.fields.unit')}
          name="unit"
          optional
          value={values.unit}
          onChange={(unit) => put({ unit })}
          {...error('unit', values.unit)}
          max={20}
        />
        <TextField
          label={t('items.fields.sku')}
          name="sku"
          optional
          ltr
          value={values.sku}
          onChange={(sku) => put({ sku })}
          {...error('sku', values.sku)}
          max={40}
        />
        {hasVat && (
          <ChoiceField
            label={t('items.fields.vatKind')}
            as="list"
            value={values.vatKind}
            onChange={(vatKind) => vatKind && put({ vatKind })}
            {...error('vatKind', values.vatKind)}
            choices={(['beforeVat', 'includingVat', 'trustDeposit', 'withoutVat'] as const).map(
              (value, i) => ({
                value,
                label: t(`documents.vatKind.${i + 1}`),
              }),
            )}
          />
        )}
        <button type="submit" hidden />
      </form>
    </SideSheet>
  )
}
