#!/usr/bin/env python3
"""
Replaces the egress sidecar that workerd starts beside every container, where that cannot be pulled: in Python, because Node has
no way to ask where a redirected connection was going. Everything that leaves the container comes here and is handed to workerd, which
lets it out, refuses it (both 202), or takes it over (200); a TLS connection that it takes over ends here, under a certificate made on
the spot. Names are answered from `names.txt`, and only those that workerd allows.
"""
import argparse, fnmatch, json, os, socket, ssl, struct, subprocess, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROXY_PORT, DNS_PORT = 41209, 41053
CA_KEY, CA_CERT = "/ca/ca.key", "/ca/ca.crt"
# Where names lead that workerd answers for itself.
SINK = "198.18.0.1"
NAMES = dict(line.split() for line in open("/names.txt") if line.strip())

flags = argparse.ArgumentParser()
flags.add_argument("--http-egress-port", type=int, default=0)
flags.add_argument("--http-ingress-address", default="0.0.0.0:39001")
flags.add_argument("--docker-gateway-cidr", default="172.17.0.0/16")
options, others = flags.parse_known_args()
egress = {"port": options.http_egress_port, "dns": {"allowHostnames": []}, "internet": {"enabled": False}}


def log(*words):
    print(*words, file=sys.stderr, flush=True)


def openssl(*argv):
    subprocess.run(["openssl", *argv], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_authority():
    os.makedirs("/ca", exist_ok=True)
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *curve, "-days", "30", "-keyout", CA_KEY, "-out", CA_CERT, "-subj", "/CN=egress stand-in")


contexts, making = {}, threading.Lock()


def context_for(name):
    with making:
        if name not in contexts:
            key, request, cert, more = (f"/ca/{len(contexts)}.{end}" for end in ("key", "csr", "crt", "ext"))
            with open(more, "w") as file:
                file.write(f"subjectAltName=DNS:{name}\n")
            curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            openssl("req", "-new", *curve, "-keyout", key, "-out", request, "-subj", f"/CN={name[:60]}")
            sign = ["-CA", CA_CERT, "-CAkey", CA_KEY, "-CAcreateserial", "-days", "7", "-extfile", more]
            openssl("x509", "-req", "-in", request, "-out", cert, *sign)
            contexts[name] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            contexts[name].load_cert_chain(cert, key)
        return contexts[name]


def server_name(hello):
    """The name in a ClientHello, or ""."""
    try:
        at = 43 + 1 + hello[43]
        at += 2 + int.from_bytes(hello[at : at + 2], "big")
        at += 1 + hello[at] + 2
        while at + 4 <= len(hello):
            kind, length = struct.unpack("!HH", hello[at : at + 4])
            if kind == 0:
                return hello[at + 9 : at + 4 + length].decode("ascii")
            at += 4 + length
    except (IndexError, UnicodeDecodeError):
        pass
    return ""


def host_header(head):
    for line in head.split(b"\r\n")[1:]:
        if line.lower().startswith(b"host:"):
            return line[5:].decode("latin1").strip().rsplit(":", 1)[0]
    return ""


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    try:
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def handle(client):
    address = client.getsockopt(socket.SOL_IP, 80, 16)  # SO_ORIGINAL_DST
    target = f"{socket.inet_ntoa(address[4:8])}:{struct.unpack('!H', address[2:4])[0]}"
    client.settimeout(2)
    try:
        start = client.recv(16384, socket.MSG_PEEK)
    except TimeoutError:
        start = b""
    client.settimeout(None)
    is_tls = start[:2] == b"\x16\x03"
    name = server_name(start) if is_tls else ""
    host = "" if is_tls else host_header(start)
    upstream = socket.create_connection((gateway(), egress["port"]), timeout=10)
    upstream.settimeout(None)
    head = f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\nX-Proto: tcp\r\nX-Forwarded-For: {client.getpeername()[0]}\r\n"
    head += f"X-Tls-Sni: {name}\r\n" if name else ""
    head += f"X-Hostname: {host}\r\n" if host else ""
    upstream.sendall(f"{head}\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        more = upstream.recv(1)
        if not more:
            break
        answer += more
    status = answer.split(b" ", 2)[1:2]
    log(target, name or host or "-", status)
    if status not in ([b"200"], [b"202"]):
        return
    if is_tls and status == [b"200"]:
        client = context_for(name or target.split(":")[0]).wrap_socket(client, server_side=True)
    back = threading.Thread(target=pump, args=(upstream, client), daemon=True)
    back.start()
    pump(client, upstream)
    back.join()


def guarded(client):
    try:
        handle(client)
    except OSError as error:
        log("error", error)
    finally:
        client.close()


def gateway():
    return next(line.split()[0] for line in open("/etc/hosts") if "host.docker.internal" in line)


def serve_proxy():
    listener = socket.create_server(("0.0.0.0", PROXY_PORT), backlog=128)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=guarded, args=(client,), daemon=True).start()


def is_allowed(name):
    return egress["internet"]["enabled"] or any(fnmatch.fnmatch(name, glob) for glob in egress["dns"]["allowHostnames"])


def serve_names():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", DNS_PORT))
    while True:
        query, source = server.recvfrom(4096)
        at, labels = 12, []
        while query[at]:
            labels.append(query[at + 1 : at + 1 + query[at]].decode("latin1"))
            at += query[at] + 1
        name, kind = ".".join(labels).lower(), query[at + 2]
        unknown = None if egress["internet"]["enabled"] else SINK
        address = NAMES.get(name, unknown) if is_allowed(name) else None
        found = address is not None and kind == 1
        code = 0x80 if address is not None else 0x83  # none such
        reply = query[:2] + bytes([0x81, code, 0, 1, 0, int(found), 0, 0, 0, 0]) + query[12 : at + 5]
        if found:
            reply += b"\xc0\x0c\0\x01\0\x01\0\0\0\x05\0\x04" + socket.inet_aton(address)
        server.sendto(reply, source)


class Ingress(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        log("PUT", self.path, body.decode())
        egress.update(json.loads(body or b"{}"))
        self.answer(200)

    def do_GET(self):
        self.answer(200, open(CA_CERT, "rb").read()) if self.path == "/ca" else self.answer(404)

    def do_CONNECT(self):
        host, port = (self.headers.get("x-dst-addr") or self.path).rsplit(":", 1)
        try:
            inside = socket.create_connection((host.strip("[]"), int(port)), timeout=8)
        except OSError:
            return self.answer(400)
        inside.settimeout(None)
        for end in (inside, self.connection):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        self.wfile.flush()
        back = threading.Thread(target=pump, args=(inside, self.connection), daemon=True)
        back.start()
        pump(self.connection, inside)
        back.join()
        self.close_connection = True


def redirect():
    def nat(*rule):
        subprocess.run(["iptables", "-t", "nat", "-A", "OUTPUT", *rule], check=True)

    nat("-p", "udp", "--dport", "53", "-j", "REDIRECT", "--to-ports", str(DNS_PORT))
    nat("-d", "127.0.0.0/8", "-j", "RETURN")
    nat("-d", options.docker_gateway_cidr, "-j", "RETURN")
    nat("-p", "tcp", "-j", "REDIRECT", "--to-ports", str(PROXY_PORT))


log("flags", sys.argv[1:])
make_authority()
threading.Thread(target=serve_proxy, daemon=True).start()
threading.Thread(target=serve_names, daemon=True).start()
redirect()
host, port = options.http_ingress_address.rsplit(":", 1)
ThreadingHTTPServer((host, int(port)), Ingress).serve_forever()
