import { useState } from 'react'
import { failureText } from '../calls/call.ts'
import { useWords } from '../words/words.tsx'
import { FileDrop, type FileDropProps } from './FileDrop.tsx'

interface FileSendProps extends Pick<FileDropProps, 'accept' | 'limit' | 'label' | 'children'> {
  /** What is done with the file while it is under way. */
  note: string
  send: (file: File) => Promise<void>
}

/**
 * A drop for one file that is uploaded as soon as it is chosen: its progress is shown there, and why it was refused.
 */
export function FileSend({ note, send, ...props }: FileSendProps) {
  const t = useWords()
  const [name, setName] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const take = async (file: File) => {
    setRefused(undefined)
    setName(file.name)
    try {
      await send(file)
    } catch (e) {
      setRefused(failureText(t, e))
    } finally {
      setName(undefined)
    }
  }
  return (
    <FileDrop
      {...props}
      refused={refused}
      sending={name === undefined ? undefined : { name, note }}
      onFiles={([file]) => file && void take(file)}
    />
  )
}
