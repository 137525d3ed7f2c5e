import { useState } from 'react'
import { call, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { refreshResource, searchIn, type AnyRow } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customerTypes } from '#features/registers/parties/classifications.ts'
import { assignToType, buyersOfList, listOfCustomer, priceFacts } from '../endpoints.ts'
import { priceLists } from '../priceLists.ts'

export const openTypeList = (type: AnyRow): void =>
  show((close) => <TypeListDialog type={type} onClose={close} />)

/** The price list for customers of a type who have none themselves. */
function TypeListDialog({ type, onClose }: { type: AnyRow; onClose: () => void }) {
  const t = useWords()
  const [list, setList] = useState(
    typeof type.priceListId === 'string'
      ? { key: type.priceListId, label: String(type.priceListIdName ?? '') }
      : null,
  )
  return (
    <FormDialog
      title={t('prices.ofTypeTitle', { type: String(type.name) })}
      verb={t('prices.ofTypeVerb')}
      names={['priceListId']}
      onClose={onClose}
      onSubmit={async () => {
        await call(assignToType, { id: type.id, priceListId: list?.key ?? null })
        await Promise.all([
          ...[listOfCustomer, buyersOfList, priceFacts].map((one) =>
            queryClient.invalidateQueries({ queryKey: keyOf(one) }),
          ),
          refreshResource(priceLists),
          refreshResource(customerTypes),
        ])
        banner.success(t('kit.forms.saved'))
      }}
    >
      {(error) => (
        <RefField
          label={t('priceLists.one')}
          optional
          clearable
          value={list}
          onChange={(option) => setList(option && { key: option.key, label: option.label })}
          search={searchIn(priceLists)}
          hint={t('prices.order')}
          {...error('priceListId', list)}
        />
      )}
    </FormDialog>
  )
}
