<?php
declare(strict_types=1);

/**
 * The Pinkas API in one file, for shops: PHP 7.4 or newer with curl and json. MIT licence.
 *
 *   $pinkas = new Pinkas('https://books.example', getenv('PINKAS_KEY'));
 *   $paper = $pinkas->post('/api4/invoice/documents', ['type' => 9, 'clientKey' => 'order-5521', ...]);
 *   foreach ($pinkas->all('/api4/invoice/customers') as $customer) { ... }
 */
final class Pinkas
{
    /** The version of the contract that this client was made with. */
    public const VERSION = '0.5.0';

    private string $base;
    private string $key;
    private string $language;
    private int $retries;

    public function __construct(string $base, string $key, string $language = 'he', int $retries = 3)
    {
        $this->base = rtrim($base, '/');
        $this->key = $key;
        $this->language = $language;
        $this->retries = $retries;
    }

    /** @return mixed the decoded answer, or the bytes of a file */
    public function get(string $path, array $query = [])
    {
        return $this->call('GET', $path, $query);
    }

    /** @return mixed */
    public function post(string $path, array $body, ?string $idempotencyKey = null)
    {
        return $this->call('POST', $path, [], $body, $idempotencyKey);
    }

    /** @return mixed `$etag`: the version you know; another one by now is refused with 412 */
    public function patch(string $path, array $body, ?string $etag = null)
    {
        return $this->call('PATCH', $path, [], $body, null, $etag);
    }

    /** @return mixed */
    public function put(string $path, array $body)
    {
        return $this->call('PUT', $path, [], $body);
    }

    /** Sends the bytes of a file: `upload('/api4/invoice/files', file_get_contents($name), ['name' => 'bill.pdf'])`. @return mixed */
    public function upload(string $path, string $bytes, array $query = [], ?string $idempotencyKey = null)
    {
        return $this->call('POST', $path, $query, null, $idempotencyKey, null, $bytes);
    }

    /** @return mixed */
    public function delete(string $path)
    {
        return $this->call('DELETE', $path);
    }

    /** Every row of a list, page after page. */
    public function all(string $path, array $query = []): Generator
    {
        do {
            $page = $this->get($path, $query + ['limit' => 200]);
            yield from $page['rows'];
            $query['after'] = $page['nextCursor'] ?? null;
        } while ($query['after']);
    }

    /**
     * What changed in a list since a mark, page after page (`rows`, `nextSince`). Keep `nextSince` once the last page is
     * stored, and begin with it next time: nothing is missed, and some rows come twice.
     */
    public function changes(string $path, string $since = '1970-01-01T00:00:00Z', array $query = []): Generator
    {
        do {
            $page = $this->get($path, ['updatedSince' => $since] + $query + ['limit' => 200]);
            yield $page;
            $query['after'] = $page['nextCursor'] ?? null;
        } while ($query['after']);
    }

    /** @return mixed */
    public function call(string $method, string $path, array $query = [], ?array $body = null, ?string $idempotencyKey = null, ?string $etag = null, ?string $bytes = null)
    {
        $headers = ['x-access-token: ' . $this->key, 'x-language: ' . $this->language, 'accept: */*'];
        // One key for all tries: what changes something is done once.
        if ($method !== 'GET') {
            $headers[] = 'idempotency-key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16)));
        }
        if ($etag !== null) {
            $headers[] = 'if-match: ' . $etag;
        }
        if ($body !== null) {
            $headers[] = 'content-type: application/json';
        } elseif ($bytes !== null) {
            $headers[] = 'content-type: application/octet-stream';
        }
        $query = array_filter($query, static fn($value) => $value !== null);
        $url = $this->base . $path . ($query ? '?' . http_build_query($query) : '');
        for ($attempt = 0;; $attempt++) {
            $after = 0;
            $type = '';
            $curl = curl_init($url);
            curl_setopt_array($curl, [
                CURLOPT_CUSTOMREQUEST => $method,
                CURLOPT_RETURNTRANSFER => true,
                CURLOPT_TIMEOUT => 30,
                CURLOPT_HTTPHEADER => $headers,
                CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$after, &$type): int {
                    if (stripos($line, 'retry-after:') === 0) {
                        $after = (int) trim(substr($line, 12));
                    } elseif (stripos($line, 'content-type:') === 0) {
                        $type = trim(substr($line, 13));
                    }
                    return strlen($line);
                },
            ]);
            if ($body !== null) {
                curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body === [] ? new stdClass() : $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE));
            } elseif ($bytes !== null) {
                curl_setopt($curl, CURLOPT_POSTFIELDS, $bytes);
            }
            $text = curl_exec($curl);
            $status = (int) curl_getinfo($curl, CURLINFO_HTTP_CODE);
            $said = is_string($text) && strpos($type, 'json') !== false ? json_decode($text, true) : null;
            if ($text !== false && $status >= 200 && $status < 300) {
                return strpos($type, 'json') !== false ? $said : $text;
            }
            $again = $text === false || in_array($status, [429, 500, 502, 503, 504], true) || ($said['code'] ?? '') === 'kit.keyRunning';
            if (!$again || $attempt >= $this->retries) {
                if ($text === false) {
                    throw new PinkasRefused(0, 'http.connection', curl_error($curl), [], '');
                }
                throw new PinkasRefused($status, $said['code'] ?? 'http.' . $status, $said['title'] ?? 'HTTP ' . $status, $said['errors'] ?? [], $said['requestId'] ?? '');
            }
            usleep($after > 0 ? $after * 1000000 : 250000 * (2 ** $attempt));
        }
    }

    /**
     * Checks a webhook (Standard Webhooks) and answers what it says; `$body` is the text as it came: file_get_contents('php://input').
     * The same webhook-id may come twice: take each once.
     */
    public static function verifyWebhook(string $secret, array $headers, string $body, ?int $now = null): array
    {
        $headers = array_change_key_case($headers, CASE_LOWER);
        $id = (string) ($headers['webhook-id'] ?? '');
        $timestamp = (string) ($headers['webhook-timestamp'] ?? '');
        if ($id === '' || !ctype_digit($timestamp) || abs(($now ?? time()) - (int) $timestamp) > 300) {
            throw new PinkasRefused(401, 'webhook.time', 'no id, or the time is off', [], '');
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        $wanted = base64_encode(hash_hmac('sha256', $id . '.' . $timestamp . '.' . $body, (string) $key, true));
        foreach (explode(' ', (string) ($headers['webhook-signature'] ?? '')) as $one) {
            if (strncmp($one, 'v1,', 3) === 0 && hash_equals($wanted, substr($one, 3))) {
                return ['id' => $id] + (array) json_decode($body, true);
            }
        }
        throw new PinkasRefused(401, 'webhook.signature', 'the signature does not fit', [], '');
    }
}

/**
 * A refusal as the server said it: go by `code`, show the message, tell `requestId` when you ask about the call. Where no
 * answer came, `status` is 0, `code` is `http.connection` and the message is that of cURL.
 */
final class PinkasRefused extends RuntimeException
{
    public int $status;
    public string $errorCode;
    public array $errors;
    public string $requestId;

    public function __construct(int $status, string $code, string $title, array $errors, string $requestId)
    {
        parent::__construct($code . ': ' . $title);
        $this->status = $status;
        $this->errorCode = $code;
        $this->errors = $errors;
        $this->requestId = $requestId;
    }
}
