import { createServer, type Server } from 'node:net'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { encryptedSmtp } from './mail.ts'

test.each([
  ['smtp://mail.example.com', 'smtp://mail.example.com?requireTLS=true'],
  ['smtp://user:p%40ss@mail.example.com:587', 'smtp://user:p%40ss@mail.example.com:587?requireTLS=true'],
  ['smtp://mail.internal?requireTLS=false', 'smtp://mail.internal?requireTLS=false'],
  ['smtp://127.0.0.1:25', 'smtp://127.0.0.1:25'],
  ['smtp://localhost', 'smtp://localhost'],
  ['smtps://mail.example.com', 'smtps://mail.example.com'],
])('mail to %s leaves by %s', (given, used) => {
  expect(encryptedSmtp(given)).toBe(used)
})

/** A server without STARTTLS that keeps what it was sent. */
async function plainServer(): Promise<{ port: number; heard: string[]; server: Server }> {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.write('220 plain\r\n')
    socket.on('data', (bytes) => {
      const line = bytes.toString()
      heard.push(line)
      socket.write(line.startsWith('EHLO') ? '250-plain\r\n250 SIZE 1000000\r\n' : '502 no\r\n')
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  return { port: (server.address() as { port: number }).port, heard, server }
}

test('nothing is sent to a server that cannot encrypt', async () => {
  const { port, heard, server } = await plainServer()
  const { search } = new URL(encryptedSmtp('smtp://mail.example.com'))
  await expect(
    createTransport(`smtp://user:secret@127.0.0.1:${port}${search}`).sendMail({
      from: 'a@example.com',
      to: 'b@example.com',
      subject: 'private',
      text: 'private',
    }),
  ).rejects.toThrow()
  expect(heard.join('')).not.toMatch(/AUTH|MAIL FROM|private/)
  server.close()
})
