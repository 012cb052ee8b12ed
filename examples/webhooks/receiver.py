# Run: WEBHOOK_SECRET=whsec_… python3 receiver.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        message_id, sent_at, given = (self.headers.get(f"webhook-{each}", "") for each in ("id", "timestamp", "signature"))
        digest = hmac.new(key, f"{message_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
        own = b"v1," + base64.b64encode(digest)
        genuine = any(hmac.compare_digest(own, each.encode()) for each in given.split())
        if genuine := genuine and abs(time.time() - int(sent_at)) <= 300:
            event = json.loads(body)
            print(event["id"], event["type"], flush=True)  # store it, unless it is known by its id
        self.send_response(204 if genuine else 401)
        self.end_headers()

ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
