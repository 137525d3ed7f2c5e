import { FileText } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FileDrop, fileSize } from '#kit/web/parts/FileDrop.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import './signing.css'

export interface UploadPdfProps {
  title: string
  verb: string
  /** Said in the place where the file is dropped. */
  choose: string
  nameLabel: string
  /** What becomes of the file. */
  hint: string
  limit: number
  names?: readonly string[]
  onUpload: (given: { name: string; bytes: File }) => Promise<void>
  onClose: () => void
  children?: (refusal: (name: string, value: unknown) => { error?: string }) => ReactNode
}

/** A PDF that is brought in, and the name it gets: its own, until another is given. */
export function UploadPdf({
  title,
  verb,
  choose,
  nameLabel,
  hint,
  limit,
  names = [],
  onUpload,
  onClose,
  children,
}: UploadPdfProps) {
  const [file, setFile] = useState<File>()
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={title}
      verb={verb}
      isDisabled={!file}
      names={['name', ...names]}
      onClose={onClose}
      onSubmit={() => onUpload({ name: name.trim() || file!.name, bytes: file! })}
    >
      {(refusal) => (
        <>
          <FileDrop
            accept="application/pdf,.pdf"
            limit={limit}
            label={choose}
            onFiles={([one]) => {
              if (!one) return
              setFile(one)
              setName((before) => before || one.name.replace(/\.pdf$/i, '').slice(0, 200))
            }}
          >
            {choose}
          </FileDrop>
          {file && (
            <p className="sg-row">
              <Icon of={FileText} />
              <bdi className="cut">{file.name}</bdi>
              <span className="hint">
                <Num>{fileSize(file.size)}</Num>
              </span>
            </p>
          )}
          <TextField label={nameLabel} value={name} onChange={setName} max={200} {...refusal('name', name)} />
          {children?.(refusal)}
          <p className="hint text-13">{hint}</p>
        </>
      )}
    </FormDialog>
  )
}
