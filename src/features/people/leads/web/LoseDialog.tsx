import { useState } from 'react'
import { call, useCall } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Chip } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { leadReasons, moveLead, type LeadCard } from '../endpoints.ts'
import { refreshLeads } from './shared.ts'

/** Why a lead did not come to be: asked when it is put among the lost, with the reasons there were before. */
export function LoseDialog({
  card,
  stageId,
  place,
  onClose,
}: {
  card: Pick<LeadCard, 'id' | 'version' | 'name'>
  stageId: string
  place?: { afterId: string | null; beforeId: string | null }
  onClose: () => void
}) {
  const t = useWords()
  const { data } = useCall(leadReasons, {})
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={t('leads.lose.title', { name: card.name })}
      verb={t('leads.lose.verb')}
      names={['reason']}
      onClose={onClose}
      onSubmit={async () => {
        await call(moveLead, {
          id: card.id,
          version: card.version,
          stageId,
          reason: reason.trim(),
          afterId: place?.afterId ?? null,
          beforeId: place?.beforeId ?? null,
        })
        await refreshLeads()
        onClose()
      }}
    >
      {(error) => (
        <>
          <TextField
            label={t('leads.fields.lostReason')}
            value={reason}
            onChange={setReason}
            max={200}
            {...error('reason', reason)}
          />
          {(data?.rows.length ?? 0) > 0 && (
            <div className="flex flex-wrap gap-2">
              {data!.rows.slice(0, 8).map((one) => (
                <Chip key={one} on={one === reason} onPress={() => setReason(one)}>
                  <bdi>{one}</bdi>
                </Chip>
              ))}
            </div>
          )}
        </>
      )}
    </FormDialog>
  )
}
